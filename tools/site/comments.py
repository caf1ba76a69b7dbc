#!/usr/bin/python3
import re,sys
src=open(sys.argv[1]).read().split("\n")
out=[]; after=False
for i,row in enumerate(src):
    m=re.match(r"^(\s*)//( .*)?$",row)
    if m:
        if after: out.append(row.replace("//","///<",1))
        elif i and src[i-1].startswith("// SPDX"): out.append(row.replace("//","/// @file\n///",1))
        else: out.append(row.replace("//","///",1)) 
        continue
    t=re.match(r"^((?:[^\"/]|\"[^\"]*\"|/(?!/))*\S\s*)//( .*)$",row)
    if t and not row.lstrip().startswith("#"):
        out.append(t[1]+"///<"+t[2]); after=True
    else:
        out.append(row); after=False
sys.stdout.write("\n".join(out))
