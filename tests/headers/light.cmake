# Fails when HEADER, compiled with COMPILER and INCLUDES, pulls in HEAVY, directly or not.
cmake_minimum_required(VERSION 3.22)
set(flags "")
foreach(folder IN LISTS INCLUDES)
  list(APPEND flags "-I${folder}")
endforeach()
execute_process(
  COMMAND ${COMPILER} -std=c++20 -x c++ -M ${flags} -include "${HEADER}" /dev/null
  OUTPUT_VARIABLE files
  ERROR_VARIABLE errors
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${HEADER} does not compile:\n${errors}")
endif()
string(FIND "${files}" "${HEAVY}" found)
if(NOT found EQUAL -1)
  message(FATAL_ERROR "${HEADER} pulls in ${HEAVY}: forward-declare, or move code to a .cpp file")
endif()
