/**
 * The methods that REST and gRPC share: those of the node's services, named
 * `package.Service/Method`, from their descriptors. Their responses are bytes, which REST and gRPC
 * write in different forms.
 */
import type { MethodDescriptor, ServiceDescriptor } from '../../codec/schema/descriptor.ts'
import { listServices } from '../../codec/schema/lookup.ts'
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { queryContext } from '../comet/chainServices.ts'
import { isAllIndexed } from '../comet/indexed.ts'
import { query, type Context, type Method, type Trait } from '../method.ts'
import { JsonText, written } from '../result.ts'
import { table, type Table } from '../table.ts'
import { broadcastTx, type WriteResponse } from './broadcastTx.ts'
import { heightInHeader } from './height.ts'
import { callParams } from './params.ts'

/** Returns the table of one interface; `write` writes its responses. */
export function servicesTable(write: WriteResponse): Table {
  return table(
    listServices().flatMap((service) =>
      service.methods.map((method) =>
        methodName(service, method) === broadcastName ? broadcastTx(write) : serviceMethod(service, method, write),
      ),
    ),
  )
}

const broadcastName = 'cosmos.tx.v1beta1.Service/BroadcastTx'

/** Traits of the methods that show transactions, for recordings. */
const traitsOf: Readonly<Record<string, readonly Trait[]>> = {
  'cosmos.tx.v1beta1.Service/GetTx': ['ofMinedTx', 'comesWithBlock', 'showsTxs'],
  'cosmos.tx.v1beta1.Service/GetTxsEvent': ['ofMinedTx', 'comesWithBlock'],
  'cosmos.tx.v1beta1.Service/GetBlockWithTxs': ['showsTxs'],
}

/** Returns the method's name in faults, the journal and scenarios. */
export function methodName({ name }: ServiceDescriptor, method: MethodDescriptor): string {
  return `${name}/${method.name}`
}

function serviceMethod(service: ServiceDescriptor, method: MethodDescriptor, write: WriteResponse): Method {
  const name = methodName(service, method)
  return query({
    name,
    summary: `Calls ${method.name} of ${service.name}.`,
    spec: 'cosmos-rest-grpc.md §14',
    traits: traitsOf[name] ?? [],
    params: callParams,
    result: written({ type: 'object' }),
    examples: [],
    // Some services look into the index, which may lag behind the chain.
    isKept: (_, node) => isAllIndexed(node),
    read: (context, [data, height]) => new JsonText(write(method.output, answered(context, { name, data, height }))),
  })
}

type ServiceCall = { readonly name: string; readonly data: Uint8Array; readonly height: string }

function answered(context: Context, { name, data, height }: ServiceCall): Uint8Array {
  const { world, node } = context
  const { callService } = world.app
  if (callService === undefined) {
    throw new GrpcStatus(grpcCodes.unimplemented, 'this application does not support services')
  }
  const request = { path: `/${name}`, data, height: heightInHeader(height), prove: false }
  return callService(node.chain.app, request, queryContext(context))
}
