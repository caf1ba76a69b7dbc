# SPDX-License-Identifier: MIT
# What `make install` puts where. Everything finds its neighbours by relative paths, so that the tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/carom")
install(TARGETS carom_shared EXPORT carom-targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/carom DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")

# find_package(carom)
install(EXPORT carom-targets NAMESPACE carom:: DESTINATION "${package_dir}")
write_basic_package_version_file(carom-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/carom-config.cmake.in carom-config.cmake INSTALL_DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/carom-config.cmake" "${PROJECT_BINARY_DIR}/carom-config-version.cmake"
  DESTINATION "${package_dir}")

# pkg-config carom
set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "/p/${pc_dir}" "/p")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(cmake/carom.pc.in carom.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/carom.pc" DESTINATION "${pc_dir}")

# Papers that come with the program: manual, completions, scenes, examples. They lie as in the source, so that links between them hold.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md SUPPORT.md
    DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL FILES_MATCHING PATTERN "*.md" PATTERN "*.ipynb" PATTERN "*.svg" PATTERN "*.png")
install(FILES docs/manual/carom.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
install(FILES completions/carom.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME carom OPTIONAL)
install(FILES completions/_carom DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" OPTIONAL)
install(FILES completions/carom.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" OPTIONAL)
install(DIRECTORY scenes DESTINATION "${CMAKE_INSTALL_DATADIR}/carom" OPTIONAL)
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL FILES_MATCHING PATTERN "*.c" PATTERN "*.py" PATTERN "*.md")
