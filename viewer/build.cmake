# SPDX-License-Identifier: MIT
# Copies the sources of the page into the build folder, fetches their packages there when the list of them changed, and bundles the
# page. A failure is told, but does not stop the build of the rest.
foreach(file IN LISTS FILES)
  cmake_path(GET file PARENT_PATH folder)
  file(COPY "${SOURCE}/${file}" DESTINATION "${BINARY}/${folder}")
endforeach()

function(give_up what log)
  file(REMOVE "${BINARY}/report.html")
  # The first lines name the cause.
  string(REGEX REPLACE "npm warn [^\n]*\n" "" log "${log}")
  string(REGEX MATCH "^[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*" log "${log}")
  message("carom: the report page is not built, all else is: ${what} failed; `make` tries again\n${log}")
endfunction()

file(SHA256 "${SOURCE}/package-lock.json" wanted)
string(APPEND wanted " ${OMIT}")
set(stamp "${BINARY}/node_modules/.carom")
if(EXISTS "${stamp}")
  file(READ "${stamp}" found)
endif()
if(NOT "${found}" STREQUAL "${wanted}")
  execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 ${OMIT}
    WORKING_DIRECTORY "${BINARY}" RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    give_up("npm ci" "${log}")
    return()
  endif()
  file(WRITE "${stamp}" "${wanted}")
endif()

execute_process(COMMAND "${NODE}" build.mjs "${BINARY}/report.html"
  WORKING_DIRECTORY "${BINARY}" RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(NOT status EQUAL 0)
  give_up("the bundle" "${log}")
endif()
