// A trap handler for traps.s, of gfx8 to gfx12.5. It adds a million, the trap's number times ten thousand and the first dword
// of TMA's buffer to TTMP4, keeps what exceptions were in TTMP5, and goes on: behind s_trap, or where an exception was.
.globl trap_handler
.type trap_handler,@function
.p2align 8
trap_handler:
.if GENERATION >= 12
  s_getreg_b32 ttmp8, hwreg(HW_REG_STATE_PRIV)
  s_getreg_b32 ttmp9, hwreg(HW_REG_EXCP_FLAG_USER)
  s_getreg_b32 ttmp2, hwreg(HW_REG_EXCP_FLAG_PRIV)
  s_lshl_b32 ttmp2, ttmp2, 8
  s_or_b32 ttmp9, ttmp9, ttmp2
  s_lshr_b32 ttmp10, ttmp1, 28
  s_sendmsg_rtn_b64 ttmp[12:13], sendmsg(MSG_RTN_GET_TMA)
  s_wait_kmcnt 0
  s_load_b32 ttmp11, ttmp[12:13], 0x0
  s_wait_kmcnt 0
  s_and_b32 ttmp1, ttmp1, 0xffff
.else
  s_getreg_b32 ttmp8, hwreg(HW_REG_STATUS)
  s_getreg_b32 ttmp9, hwreg(HW_REG_TRAPSTS)
  s_bfe_u32 ttmp10, ttmp1, 0x80010
.if GENERATION >= 11
  s_sendmsg_rtn_b64 ttmp[12:13], sendmsg(MSG_RTN_GET_TMA)
  s_waitcnt lgkmcnt(0)
.elseif GENERATION >= 9
  s_getreg_b32 ttmp12, hwreg(HW_REG_TMA_LO)
  s_getreg_b32 ttmp13, hwreg(HW_REG_TMA_HI)
.else
  s_mov_b64 s[20:21], tma
.endif
.if GENERATION == 8
  s_load_dword s20, s[20:21], 0x0
  s_waitcnt lgkmcnt(0)
  s_and_b32 ttmp11, s20, -1
.else
  s_load_dword ttmp11, ttmp[12:13], 0x0
  s_waitcnt lgkmcnt(0)
.endif
  s_and_b32 ttmp1, ttmp1, 0xffff
.endif
  s_or_b32 ttmp5, ttmp5, ttmp9
  s_mul_i32 ttmp9, ttmp10, 10000
  s_add_u32 ttmp4, ttmp4, ttmp9
  s_add_u32 ttmp4, ttmp4, ttmp11
  s_add_u32 ttmp4, ttmp4, 1000000
  s_cmp_eq_u32 ttmp10, 0
  s_cbranch_scc1 back
  s_add_u32 ttmp0, ttmp0, 4
  s_addc_u32 ttmp1, ttmp1, 0
back:
.if GENERATION >= 12
  s_setreg_b32 hwreg(HW_REG_STATE_PRIV), ttmp8
.else
  s_setreg_b32 hwreg(HW_REG_STATUS), ttmp8
.endif
.if GENERATION == 9
  s_rfe_restore_b64 ttmp[0:1], ttmp8
.else
  s_rfe_b64 ttmp[0:1]
.endif

// Halts every wave that comes to it.
.globl halts
.type halts,@function
.p2align 8
halts:
  s_sethalt 1
  s_rfe_b64 ttmp[0:1]
.globl nests
.type nests,@function
.p2align 8
nests:
  s_trap 2
// Goes on behind the dword that was illegal, and keeps the flags.
.globl skips
.type skips,@function
.p2align 8
skips:
.if GENERATION >= 12
  s_getreg_b32 ttmp5, hwreg(HW_REG_EXCP_FLAG_PRIV)
.else
  s_getreg_b32 ttmp5, hwreg(HW_REG_TRAPSTS)
.endif
  s_add_u32 ttmp0, ttmp0, 4
  s_addc_u32 ttmp1, ttmp1, 0
  s_rfe_b64 ttmp[0:1]
