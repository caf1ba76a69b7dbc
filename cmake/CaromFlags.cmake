# SPDX-License-Identifier: MIT
# How everything is compiled: the interface target carom_flags, for our own targets only.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g3 -fno-omit-frame-pointer")
# Sanitizers name the line of a fault; with all that a debugger wants to know, gcc takes twice the time.
if(CAROM_SANITIZE)
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g1 -fno-omit-frame-pointer")
endif()
# For programs that run once, for their bits, which do not depend on how much the compiler optimises.
set(CMAKE_C_FLAGS_QUICK "-O1")

add_library(carom_flags INTERFACE)
target_compile_definitions(carom_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
# macOS hides what is not of POSIX unless it is asked for.
if(APPLE)
  target_compile_definitions(carom_flags INTERFACE _DARWIN_C_SOURCE)
endif()
# Windows: numbers are printed and read as C17 says, which the check of formats does not know; files may be longer than 2 GB.
if(MINGW)
  target_compile_options(carom_flags INTERFACE -Wno-format -Wno-format-extra-args)
  target_compile_definitions(carom_flags INTERFACE __USE_MINGW_ANSI_STDIO=1 _FILE_OFFSET_BITS=64 _USE_MATH_DEFINES)
endif()

# Same bits everywhere: no contraction of a*b+c, and never fast-math.
target_compile_options(carom_flags INTERFACE -ffp-contract=off)

# Tables leave fields at zero, and messages are cut to their buffers, on purpose.
target_compile_options(carom_flags INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wno-missing-field-initializers $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
  $<$<BOOL:${CAROM_WERROR}>:-Werror> $<$<BOOL:${CAROM_NATIVE}>:-march=native>)

# The library casts no const away.
add_library(carom_library_flags INTERFACE)
target_link_libraries(carom_library_flags INTERFACE carom_flags)
target_compile_options(carom_library_flags INTERFACE -Wcast-qual)

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
