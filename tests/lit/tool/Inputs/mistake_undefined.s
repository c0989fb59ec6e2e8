.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
 s_getpc_b64 s[0:1]
 s_add_u32 s0, s0, f@rel32@lo+4
