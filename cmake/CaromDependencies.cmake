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

find_package(ZLIB)
if(NOT ZLIB_FOUND)
  message(FATAL_ERROR "zlib is missing; ${CAROM_HELP} build")
endif()

# The direct solver of implicit methods: sequential MUMPS. Debian and Ubuntu call its library dmumps_seq; elsewhere it may be dmumps, with the
# stand-in for MPI in mpiseq. A parallel MUMPS is no replacement: it wants a started MPI.
find_path(MUMPS_INCLUDE_DIR dmumps_c.h PATH_SUFFIXES mumps_seq mumps MUMPS)
find_library(MUMPS_LIBRARY NAMES dmumps_seq)
if(NOT MUMPS_LIBRARY)
  find_library(MUMPS_MPISEQ_LIBRARY NAMES mpiseq)
  if(MUMPS_MPISEQ_LIBRARY)
    find_library(MUMPS_LIBRARY NAMES dmumps)
  endif()
endif()
if(NOT MUMPS_INCLUDE_DIR OR NOT MUMPS_LIBRARY)
  message(FATAL_ERROR "sequential MUMPS is missing (dmumps_c.h and libdmumps_seq; set MUMPS_INCLUDE_DIR and MUMPS_LIBRARY if it is in an unusual place); ${CAROM_HELP} build")
endif()
mark_as_advanced(MUMPS_INCLUDE_DIR MUMPS_LIBRARY MUMPS_MPISEQ_LIBRARY)
add_library(carom_mumps INTERFACE)
target_include_directories(carom_mumps SYSTEM INTERFACE "${MUMPS_INCLUDE_DIR}")
target_link_libraries(carom_mumps INTERFACE "${MUMPS_LIBRARY}" $<$<BOOL:${MUMPS_MPISEQ_LIBRARY}>:${MUMPS_MPISEQ_LIBRARY}> ${CMAKE_DL_LIBS})

add_library(carom_dependencies INTERFACE)
target_link_libraries(carom_dependencies INTERFACE PkgConfig::FYAML OpenMP::OpenMP_C ZLIB::ZLIB carom_mumps m)

# Many processes: PETSc, with the MPI and the parallel MUMPS that it is built with.
if(CAROM_MPI)
  pkg_search_module(PETSC IMPORTED_TARGET "PETSc>=3.18" "petsc>=3.18")
  find_library(MUMPS_PARALLEL_LIBRARY NAMES dmumps)
  find_package(MPI COMPONENTS C)
  if(NOT PETSC_FOUND OR NOT MUMPS_PARALLEL_LIBRARY OR NOT MPI_C_FOUND)
    message(FATAL_ERROR "PETSc with MPI and MUMPS is missing; ${CAROM_HELP} mpi, or build with -DCAROM_MPI=OFF")
  endif()
  add_library(carom_mpi_dependencies INTERFACE)
  target_link_libraries(carom_mpi_dependencies INTERFACE PkgConfig::FYAML OpenMP::OpenMP_C ZLIB::ZLIB PkgConfig::PETSC MPI::MPI_C
    "${MUMPS_PARALLEL_LIBRARY}" ${CMAKE_DL_LIBS} m)
  # Scotch 7, for --partition scotch. It comes with PETSc on Debian; without it carom-mpi refuses that option.
  find_path(SCOTCH_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
  find_library(SCOTCH_LIBRARY NAMES scotch)
  find_library(SCOTCH_ERROR_LIBRARY NAMES scotcherr)
  mark_as_advanced(SCOTCH_INCLUDE_DIR SCOTCH_LIBRARY SCOTCH_ERROR_LIBRARY)
  set(CAROM_SCOTCH_SOURCE src/parallel/no_scotch.c)
  if(SCOTCH_INCLUDE_DIR)
    file(STRINGS "${SCOTCH_INCLUDE_DIR}/scotch.h" SCOTCH_VERSION_7 REGEX "#define SCOTCH_VERSION +7")
  endif()
  if(SCOTCH_VERSION_7 AND SCOTCH_LIBRARY AND SCOTCH_ERROR_LIBRARY)
    set(CAROM_SCOTCH_SOURCE src/parallel/scotch.c)
    target_include_directories(carom_mpi_dependencies SYSTEM INTERFACE "${SCOTCH_INCLUDE_DIR}")
    target_link_libraries(carom_mpi_dependencies INTERFACE "${SCOTCH_LIBRARY}" "${SCOTCH_ERROR_LIBRARY}")
  endif()
endif()

# Debian calls the serial HDF5 hdf5-serial, others hdf5.
if(CAROM_HDF5)
  pkg_search_module(HDF5 IMPORTED_TARGET hdf5-serial hdf5)
  if(NOT HDF5_FOUND)
    message(FATAL_ERROR "HDF5 is missing; ${CAROM_HELP} ci, or build with -DCAROM_HDF5=OFF")
  endif()
  target_link_libraries(carom_dependencies INTERFACE PkgConfig::HDF5)
  # PETSc brings a parallel HDF5, whose symbols have versions of their own: both live side by side.
  if(CAROM_MPI)
    target_link_libraries(carom_mpi_dependencies INTERFACE PkgConfig::HDF5)
  endif()
endif()

if(CAROM_TESTS)
  pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(NOT CMOCKA_FOUND OR NOT Python3_FOUND)
    message(FATAL_ERROR "the tests need cmocka and python3; install them with tools/install-dependencies test")
  endif()
endif()
