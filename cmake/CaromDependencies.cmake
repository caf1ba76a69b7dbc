# SPDX-License-Identifier: MIT
# What the library links to: the interface target carom_dependencies.

set(CAROM_HELP "install it with tools/install-dependencies")

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config is missing; ${CAROM_HELP}")
endif()

find_package(OpenMP COMPONENTS C)
if(NOT OpenMP_C_FOUND)
  message(FATAL_ERROR "${CMAKE_C_COMPILER} cannot compile OpenMP (clang needs the package libomp-dev)")
endif()

pkg_check_modules(FYAML IMPORTED_TARGET "libfyaml>=0.7.12")
if(NOT FYAML_FOUND)
  message(FATAL_ERROR "libfyaml is missing; ${CAROM_HELP} build")
endif()

add_library(carom_dependencies INTERFACE)
target_link_libraries(carom_dependencies INTERFACE PkgConfig::FYAML OpenMP::OpenMP_C m)

# Debian calls the serial HDF5 hdf5-serial, others hdf5.
if(CAROM_HDF5)
  pkg_search_module(HDF5 IMPORTED_TARGET hdf5-serial hdf5)
  if(NOT HDF5_FOUND)
    message(FATAL_ERROR "HDF5 is missing; ${CAROM_HELP} ci, or build with -DCAROM_HDF5=OFF")
  endif()
  target_link_libraries(carom_dependencies INTERFACE PkgConfig::HDF5)
endif()

if(CAROM_TESTS)
  pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(NOT CMOCKA_FOUND OR NOT Python3_FOUND)
    message(FATAL_ERROR "the tests need cmocka and python3; install them with tools/install-dependencies test")
  endif()
endif()
