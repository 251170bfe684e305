//! A dependency of the inspectors asks for an entropy source at link time. An engine that must give
//! the same bytes twice has none: whoever draws from it gets an error.

#[cfg(target_arch = "wasm32")]
fn refuse(_: &mut [u8]) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}

#[cfg(target_arch = "wasm32")]
getrandom::register_custom_getrandom!(refuse);
