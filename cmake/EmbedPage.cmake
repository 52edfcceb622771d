# cmake -DFOLDER=src/inspector/report -DOUT=page.cpp -P EmbedPage.cmake: the page of `resumable
# report` as C++. Its style and its script stand in the page, and a Content-Security-Policy that
# lets these two run, by their SHA-256, and nothing else.
cmake_minimum_required(VERSION 3.25)

# SHA-256 in Base64, as the policy wants it.
function(base64_of_sha256 text result)
  string(SHA256 hex "${text}")
  string(APPEND hex "0000")  # 32 bytes and two of padding: 22 groups of three would have one more
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(encoded "")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING "${hex}" ${at} 3 digits)
    math(EXPR high "0x${digits} >> 6")
    math(EXPR low "0x${digits} & 63")
    string(SUBSTRING "${letters}" ${high} 1 first)
    string(SUBSTRING "${letters}" ${low} 1 second)
    string(APPEND encoded "${first}${second}")
  endforeach()
  string(SUBSTRING "${encoded}" 0 43 encoded)
  set(${result} "${encoded}=" PARENT_SCOPE)
endfunction()

file(READ "${FOLDER}/page.html" page)
file(READ "${FOLDER}/page.css" style)
set(script "'use strict';\n")
foreach(part IN ITEMS data dom timeline graph details table page)
  file(READ "${FOLDER}/${part}.js" text)
  string(APPEND script "${text}")
endforeach()
base64_of_sha256("${style}" style_digest)
base64_of_sha256("${script}" script_digest)
foreach(name IN ITEMS style script style_digest script_digest)
  string(REPLACE "@${name}@" "${${name}}" page "${page}")
endforeach()

string(FIND "${page}" "@data@" middle)
if(middle EQUAL -1)
  message(FATAL_ERROR "page.html has no @data@")
endif()
string(SUBSTRING "${page}" 0 ${middle} head)
math(EXPR middle "${middle} + 6")
string(SUBSTRING "${page}" ${middle} -1 tail)

# Compilers limit the length of a literal; neighbours are joined.
function(literal text result)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "\n    R\"page(${piece})page\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  set(${result} "${pieces}" PARENT_SCOPE)
endfunction()
literal("${head}" head)
literal("${tail}" tail)
file(WRITE "${OUT}"
  "// Made of src/inspector/report by cmake/EmbedPage.cmake.\n"
  "#include \"inspector/report_page.hpp\"\n\n"
  "namespace resumable {\ninline namespace v0 {\nnamespace inspector {\n\n"
  "extern const char* const page_before_data =${head};\n"
  "extern const char* const page_after_data =${tail};\n\n"
  "}  // namespace inspector\n}  // namespace v0\n}  // namespace resumable\n")
