# SPDX-License-Identifier: MIT
# How everything is compiled: the interface target carom_flags, for our own targets only.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g3 -fno-omit-frame-pointer")

add_library(carom_flags INTERFACE)
target_compile_definitions(carom_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)

# Same bits everywhere: no contraction of a*b+c, and never fast-math.
target_compile_options(carom_flags INTERFACE -ffp-contract=off)

# Tables leave fields at zero, and messages are cut to their buffers, on purpose.
target_compile_options(carom_flags INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wno-missing-field-initializers $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
  $<$<BOOL:${CAROM_WERROR}>:-Werror> $<$<BOOL:${CAROM_NATIVE}>:-march=native>)

if(CAROM_SANITIZE)
  set(CAROM_SANITIZE_FLAGS "-fsanitize=${CAROM_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(carom_flags INTERFACE ${CAROM_SANITIZE_FLAGS})
  target_link_options(carom_flags INTERFACE ${CAROM_SANITIZE_FLAGS})
endif()

if(CAROM_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "the fuzz targets need clang: cmake -DCMAKE_C_COMPILER=clang ...")
  endif()
  target_compile_options(carom_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(carom_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
