# SPDX-License-Identifier: MIT
# What all tests have: limits, environment, threads, costs and labels.
#
# test/costs.txt has the processor seconds of the tests that take more than one. The longest begin first, and those that are not
# in the table have the label `quick`. Threads are the subject of those marked there: these may use all processors and ask CTest
# for two; all others have one thread, so that as many tests as there are processors run side by side and none waits for a thread
# that has no processor.

set(table "${PROJECT_SOURCE_DIR}/test/costs.txt")
if(EXISTS "${table}")
  file(STRINGS "${table}" costs REGEX "^[a-z]")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
endif()
foreach(line IN LISTS costs)
  string(REGEX MATCHALL "[^ ]+" words "${line}")
  list(POP_FRONT words test cost)
  list(APPEND CAROM_COSTLY_TESTS ${test})
  set(CAROM_COST_${test} ${cost})
  set(CAROM_MARKS_${test} ${words})
endforeach()

# carom_tests(NAMES test... [LABELS label...] [ENVIRONMENT name=value...])
# Limits of time, here and in the scripts, are for a machine ten times slower: they end what hangs, and judge no speed.
function(carom_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "NAMES;LABELS;ENVIRONMENT")
  set(environment "OMP_WAIT_POLICY=passive" "CAROM=${PROJECT_BINARY_DIR}/carom" "CAROM_BUILD=${PROJECT_BINARY_DIR}"
    "CAROM_SOURCE=${PROJECT_SOURCE_DIR}" "PYTHONDONTWRITEBYTECODE=1" ${arg_ENVIRONMENT})
  foreach(test IN LISTS arg_NAMES)
    set(labels ${arg_LABELS})
    set(own ${environment})
    if("long" IN_LIST CAROM_MARKS_${test} OR test MATCHES "^long\\.")
      list(APPEND labels long)
    elseif(NOT DEFINED CAROM_COST_${test})
      list(APPEND labels quick)
    endif()
    if(DEFINED CAROM_COST_${test})
      set_tests_properties(${test} PROPERTIES COST ${CAROM_COST_${test}})
    endif()
    if("threads" IN_LIST CAROM_MARKS_${test})
      set_tests_properties(${test} PROPERTIES PROCESSORS 2)
    else()
      list(APPEND own "OMP_NUM_THREADS=1")
    endif()
    set_tests_properties(${test} PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77 LABELS "${labels}" ENVIRONMENT "${own}")
  endforeach()
endfunction()

# carom_long_form(TEST COMMAND ...): the long form of a test, if it has one.
function(carom_long_form test)
  if("longer" IN_LIST CAROM_MARKS_${test})
    string(REGEX REPLACE ".*\\." "long." name "${test}")
    add_test(NAME ${name} ${ARGN})
    carom_tests(NAMES ${name} ENVIRONMENT CAROM_TEST_LONG=1)
  endif()
endfunction()
