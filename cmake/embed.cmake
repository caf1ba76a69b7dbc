# SPDX-License-Identifier: MIT
# Writes a C source with the bytes of a file, and a final zero:
#   cmake -DINPUT=page.html -DOUTPUT=page_bytes.c -DHEADER=app/sweep/page.h -DNAME=carom_sweep_page -P embed.cmake
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}0};\n")
