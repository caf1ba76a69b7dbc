# SPDX-License-Identifier: MIT
# libcarom-cuda.so, the one object that needs CUDA: src/device/cuda.cu compiled by nvcc. Nothing is linked with it; carom loads it
# when a GPU is asked for.
find_program(CAROM_NVCC nvcc PATHS /usr/local/cuda/bin REQUIRED)
set(CAROM_CUDA_ARCHITECTURES "80;90" CACHE STRING "Compute capabilities to compile for; later ones take the last")

set(cuda_targets)
foreach(architecture IN LISTS CAROM_CUDA_ARCHITECTURES)
  list(APPEND cuda_targets -gencode "arch=compute_${architecture},code=sm_${architecture}")
  set(cuda_last "${architecture}")
endforeach()
list(APPEND cuda_targets -gencode "arch=compute_${cuda_last},code=compute_${cuda_last}")

# Same bits as on the processor: no fused operations, IEEE division and roots (nvcc's default for double).
set(cuda_object "${PROJECT_BINARY_DIR}/lib/libcarom-cuda.so")
add_custom_command(OUTPUT "${cuda_object}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/lib"
  COMMAND "${CAROM_NVCC}" -std=c++17 -O3 -fmad=false ${cuda_targets} --threads 0 -shared -cudart static
    -Xcompiler -fPIC,-fvisibility=hidden,-ffp-contract=off
    -I "${PROJECT_SOURCE_DIR}/src" -I "${PROJECT_SOURCE_DIR}/include" -MD -MF "${cuda_object}.d"
    "${PROJECT_SOURCE_DIR}/src/device/cuda.cu" -o "${cuda_object}"
  DEPENDS "${PROJECT_SOURCE_DIR}/src/device/cuda.cu" DEPFILE "${cuda_object}.d"
  COMMENT "Building CUDA object libcarom-cuda.so (one to three minutes)" VERBATIM)
add_custom_target(carom_cuda ALL DEPENDS "${cuda_object}")
install(PROGRAMS "${cuda_object}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
