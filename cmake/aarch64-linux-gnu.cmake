# Builds the runtime for AArch64 Linux on another machine, with Debian's gcc-aarch64-linux-gnu and
# libc6-dev-arm64-cross. Plugins and tools are the host's: they run where clang runs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
