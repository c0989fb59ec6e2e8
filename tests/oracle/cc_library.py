#!/usr/bin/env python3
"""Each intrinsic that `offgrid cc` knows, on values that lie on borders and random ones: the same results by our code and
by llc-22's. Where neither document nor LLVM says the last places of a result, a number of ulps is allowed.

usage: cc_library.py --offgrid BUILD/offgrid [--processor gfx900] [--only REGEX] [--keep FOLDER]"""
import argparse
import functools
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

LANES = 128
# result name(arguments): an argument =N (=TYPE:N) is that constant; !N: ulps that may differ; @N, @N..M generations, where not
# all; =A,B: processors, where not all; ~NAME: llc-22 cannot select it, but that, which does the same.
TABLE = """
float llvm.{floor,ceil,trunc,rint,roundeven,nearbyint,round,fabs,canonicalize}.f32(float)
double llvm.{floor,ceil,trunc,round,fabs,canonicalize}.f64(double)
double llvm.{rint,roundeven,nearbyint}.f64(double) @7
half llvm.{floor,ceil,trunc,rint,roundeven,nearbyint,round,fabs,canonicalize}.f16(half) @8
float llvm.{minnum,maxnum,copysign}.f32(float, float)
double llvm.{minnum,maxnum,copysign}.f64(double, double)
half llvm.{minnum,maxnum,copysign}.f16(half, half) @8
float llvm.{fma,fmuladd}.f32(float, float, float) !1
double llvm.{fma,fmuladd}.f64(double, double, double)
float llvm.{sqrt,exp,exp2,exp10,log,log2,log10}.f32(float) !2
float llvm.{sin,cos}.f32(small) !1
double llvm.sqrt.f64(double)
half llvm.{sqrt,exp2,log2,exp,log,log10,exp10}.f16(half) @8 !1
half llvm.{sin,cos}.f16(half_small) @8 !1
float llvm.ldexp.f32.i32(float, i32)
double llvm.ldexp.f64.i32(double, i32)
half llvm.ldexp.f16.i32(half, i32) @8
float llvm.amdgcn.{frexp.mant,fract,rcp,rsq,sqrt}.f32(float) !1
double llvm.amdgcn.{frexp.mant,fract}.f64(double)
i32 llvm.amdgcn.frexp.exp.i32.f32(float)
i32 llvm.amdgcn.frexp.exp.i32.f64(double)
i1 llvm.amdgcn.class.f32(float, i32)
i1 llvm.amdgcn.class.f64(double, i32)
i1 llvm.is.fpclass.f32(float, ={504,3,96,620})
i1 llvm.is.fpclass.f64(double, =504)
float llvm.amdgcn.fmed3.f32(float, float, float)
float llvm.amdgcn.{cubeid,cubema,cubesc,cubetc}(float, float, float)
i{8,16,32,64} llvm.{umin,umax,smin,smax,uadd.sat,usub.sat,sadd.sat,ssub.sat}.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64})
i{8,16,32,64} llvm.{fshl,fshr}.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64}, i{8,16,32,64})
i{8,16,32,64} llvm.{ctpop,bitreverse}.i{8,16,32,64}(i{8,16,32,64})
i{8,16,32,64} llvm.{ctlz,cttz,abs}.i{8,16,32,64}(i{8,16,32,64}, =false)
i{16,32,64} llvm.bswap.i{16,32,64}(i{16,32,64})
{i{8,16,32,64}, i1} llvm.{uadd,usub,umul,sadd,ssub,smul}.with.overflow.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64})
i32 llvm.amdgcn.{ubfe,sbfe}.i32(i32, i32, i32)
i32 llvm.amdgcn.{mul.u24,mul.i24}(i32, i32)
i32 llvm.amdgcn.{perm,alignbyte,sad.u8,sad.hi.u8,sad.u16,msad.u8,lerp}(i32, i32, i32)
i32 llvm.amdgcn.cvt.pk.u8.f32(float, i32, i32)
v2half llvm.amdgcn.cvt.pkrtz(float, float)
v2i16 llvm.amdgcn.cvt.pknorm.{i16,u16}(float, float)
v2i16 llvm.amdgcn.cvt.pk.{i16,u16}(i32, i32)
i32 llvm.amdgcn.{mbcnt.lo,mbcnt.hi}(i32, i32)
i32 llvm.amdgcn.ds.bpermute(i32, i32)
i32 llvm.amdgcn.ds.swizzle(i32, =31)
i32 llvm.amdgcn.update.dpp.i32(i32, i32, ={27,257,289,320,321}, =15, =15, ={true,false}) @8
i64 llvm.amdgcn.update.dpp.i64(i64, i64, =273, ={15,10}, ={15,5}, ={true,false}) @8
float llvm.amdgcn.update.dpp.f32(float, float, ={304,312,322,323}, =15, =15, ={true,false}) @8..9
i32 llvm.amdgcn.update.dpp.i32(=0, i32, =274, ={15,12}, =15, =false) @8
i32 llvm.amdgcn.mov.dpp.i32(i32, ={177,27}, =15, =15, ={true,false}) @8
i32 llvm.amdgcn.update.dpp.i32(i32, i32, ={336,355}, =15, =15, ={true,false}) @10
i32 llvm.amdgcn.mov.dpp8.i32(i32, ={1754936,342391}) @10
i{32,64} llvm.amdgcn.{permlane16,permlanex16}.i{32,64}(i{32,64}, i{32,64}, =305419896, =-19088744, ={true,false}, ={true,false}) @10
i32 llvm.amdgcn.{permlane16,permlanex16}.var(i32, i32, i32, ={true,false}, ={true,false}) @12
i32 llvm.amdgcn.permlane64.i32(i32) @11
i32 llvm.amdgcn.wave.reduce.{umin,umax,min,max,add,sub,and,or,xor}.i32(i32, =0)
i{W} llvm.amdgcn.icmp.i{W}.i{16,32,64}(i{16,32,64}, i{16,32,64}, ={32,33,34,35,36,37,38,39,40,41})
i{W} llvm.amdgcn.fcmp.i{W}.f32(float, float, ={1,2,3,4,5,6,7,8,9,14})
i{W} llvm.amdgcn.fcmp.i{W}.f64(double, double, ={1,4,9,14})
i{W} llvm.amdgcn.ballot.i{W}(i1)
i32 llvm.amdgcn.readfirstlane.i32(i32)
i32 llvm.amdgcn.readlane.i32(i32, =5)
i32 llvm.amdgcn.writelane.i32(=77, =5, i32)
float llvm.{minimum,maximum}.f32(float, float)
double llvm.{minimum,maximum}.f64(double, double)
half llvm.{minimum,maximum}.f16(half, half) @8
v2half llvm.{minimum,maximum,minimumnum,maximumnum}.v2f16(v2half, v2half) @9
float llvm.amdgcn.fmul.legacy(float, float)
double llvm.amdgcn.trig.preop.f64(double, i32)
i32 llvm.amdgcn.add.{max,min}.{i32,u32}(i32, i32, i32, ={true,false}) =1250
v2i16 llvm.amdgcn.pk.add.{max,min}.{i16,u16}(v2i16, v2i16, v2i16, ={true,false}) =1250
i16 llvm.amdgcn.ashr.pk.{i8,u8}.i32(i32, i32, i32) =950,1250
i{16,32} llvm.amdgcn.bitop3.i{16,32}(i{16,32}, i{16,32}, i{16,32}, ={1,202,235}) =950,1250
half llvm.amdgcn.cvt.f16.{fp8,bf8}(i32, ={0,1,2,3}) =1250
float llvm.amdgcn.cvt.f32.{fp8,bf8}(i32, ={0,1,2,3}) =942,950,1200,1250
float llvm.amdgcn.cvt.f32.fp8.e5m3(i32, ={0,2}) =1250
float llvm.amdgcn.cvt.off.f32.i4(i32)
v2half llvm.amdgcn.cvt.pk.f16.{fp8,bf8}(i16) =1250
i16 llvm.amdgcn.cvt.pk.{fp8,bf8}.f16(v2half) =1250
v2float llvm.amdgcn.cvt.pk.f32.{fp8,bf8}(i32, ={true,false}) =942,950,1200,1250
i32 llvm.amdgcn.cvt.pk.{fp8,bf8}.f32(float, float, i32, ={true,false}) =942,950,1200,1250
i32 llvm.amdgcn.cvt.sr.{fp8,bf8}.f32(float, i32, i32, ={0,1,2,3}) =942,950,1200,1250
i32 llvm.amdgcn.cvt.sr.{fp8,bf8}.f16(half, i32, i32, ={0,1,2,3}) =1250
v2{T:half,bfloat} llvm.amdgcn.cvt.sr.{T:f16,bf16}.f32(v2{T:half,bfloat}, float, i32, ={true,false}) =950
v2half llvm.amdgcn.cvt.sr.pk.f16.f32(float, float, i32) =1250
v2bfloat llvm.amdgcn.cvt.sr.pk.bf16.f32(float, float, i32) =1250
v8{T:half,bfloat,float} llvm.amdgcn.cvt.scale.pk8.{T:f16,bf16,f32}.{fp8,bf8}(v2i32, i32, ={0,2,8,14}) =1250
v8{T:half,bfloat,float} llvm.amdgcn.cvt.scale.pk8.{T:f16,bf16,f32}.fp4(i32, i32, ={0,3,7}) =1250
v16{T:half,bfloat,float} llvm.amdgcn.cvt.scale.pk16.{T:f16,bf16,f32}.{fp6,bf6}(v3i32, i32, ={0,1,8,9}) =1250
v6i32 llvm.amdgcn.cvt.scalef32.2xpk16.{fp6,bf6}.f32(v16float, v16float, scale) =950
v2half llvm.amdgcn.cvt.scalef32.f16.{fp8,bf8}(v2half, i32, scale, ={0,1,2,3}, ={true,false}) =950
float llvm.amdgcn.cvt.scalef32.f32.{fp8,bf8}(i32, scale, ={0,1,2,3}) =950
v2{T:half,bfloat,float} llvm.amdgcn.cvt.scalef32.pk.{T:f16,bf16,f32}.{fp8,bf8}(i32, scale, ={true,false}) =950
v2{T:half,bfloat,float} llvm.amdgcn.cvt.scalef32.pk.{T:f16,bf16,f32}.fp4(i32, scale, ={0,1,2,3}) =950
v2i16 llvm.amdgcn.cvt.scalef32.pk.{fp8,bf8}.{T:f16,bf16}(v2i16, v2{T:half,bfloat}, scale, ={true,false}) =950
v2i16 llvm.amdgcn.cvt.scalef32.pk.{fp8,bf8}.f32(v2i16, float, float, scale, ={true,false}) =950
i32 llvm.amdgcn.cvt.scalef32.pk.fp4.{T:f16,bf16}(i32, v2{T:half,bfloat}, scale, ={0,1,2,3}) =950
i32 llvm.amdgcn.cvt.scalef32.pk.fp4.f32(i32, float, float, scale, ={0,1,2,3}) =950
i32 llvm.amdgcn.cvt.scalef32.sr.{fp8,bf8}.{T:f16,bf16,f32}(i32, {T:half,bfloat,float}, i32, scale, ={0,1,2,3}) =950
i32 llvm.amdgcn.cvt.scalef32.sr.pk.fp4.{T:f16,bf16,f32}(=0, v2{T:half,bfloat,float}, i32, scale, ={0,1,2,3}) =950
v6i32 llvm.amdgcn.cvt.scalef32.pk32.{fp6,bf6}.{T:f16,bf16}(v32{T:half,bfloat}, scale) =950
v32{T:half,bfloat,float} llvm.amdgcn.cvt.scalef32.pk32.{T:f16,bf16,f32}.{fp6,bf6}(v6i32, scale) =950
v6i32 llvm.amdgcn.cvt.scalef32.sr.pk32.{fp6,bf6}.{T:f16,bf16,f32}(v32{T:half,bfloat,float}, i32, scale) =950
v3i32 llvm.amdgcn.cvt.scalef32.pk16.{fp6,bf6}.{T:f16,bf16,f32}(v16{T:half,bfloat,float}, scale) =1250
v3i32 llvm.amdgcn.cvt.scalef32.sr.pk16.{fp6,bf6}.{T:f16,bf16,f32}(v16{T:half,bfloat,float}, i32, scale) =1250
v2i32 llvm.amdgcn.cvt.scalef32.pk8.{fp8,bf8}.{T:f16,bf16,f32}(v8{T:half,bfloat,float}, scale) =1250
i32 llvm.amdgcn.cvt.scalef32.pk8.fp4.{T:f16,bf16,f32}(v8{T:half,bfloat,float}, scale) =1250
v2i32 llvm.amdgcn.cvt.scalef32.sr.pk8.{fp8,bf8}.{T:f16,bf16,f32}(v8{T:half,bfloat,float}, i32, scale) =1250
i32 llvm.amdgcn.cvt.scalef32.sr.pk8.fp4.{T:f16,bf16,f32}(v8{T:half,bfloat,float}, i32, scale) =1250
{{T:float,double}, i1} llvm.amdgcn.div.scale.{T:f32,f64}({T:float,double}, {T:float,double}, ={true,false})
{T:float,double} llvm.amdgcn.div.fmas.{T:f32,f64}({T:float,double}, {T:float,double}, {T:float,double}, i1)
{T:float,double} llvm.amdgcn.div.fixup.{T:f32,f64}({T:float,double}, {T:float,double}, {T:float,double})
half llvm.amdgcn.div.fixup.f16(half, half, half) @8
float llvm.amdgcn.dot4.f32.{fp8,bf8}.{fp8,bf8}(i32, i32, float) !1 =1200
float llvm.amdgcn.fdot2(v2half, v2half, float, ={true,false}) !1 =906,908,90a,942,950,1030,1100,1150,1200
half llvm.amdgcn.fdot2.f16.f16(v2half, v2half, half) =1100,1150,1200
bfloat llvm.amdgcn.fdot2.bf16.bf16(v2bfloat, v2bfloat, bfloat) =1100,1150,1200
float llvm.amdgcn.fdot2.f32.bf16(v2bfloat, v2bfloat, float, ={true,false}) =950,1100,1150,1200
float llvm.amdgcn.fdot2c.f32.bf16(v2bfloat, v2bfloat, float, ={true,false}) =950 ~llvm.amdgcn.fdot2.f32.bf16
i32 llvm.amdgcn.{sdot2,udot2}(v2i16, v2i16, i32, ={true,false}) =906,908,90a,942,950,1030
i32 llvm.amdgcn.{sdot4,udot4,sdot8,udot8}(i32, i32, i32, ={true,false}) =906,908,90a,942,950,1030,1100,1150,1200,1250
i32 llvm.amdgcn.{sudot4,sudot8}(={true,false}, i32, ={true,false}, i32, i32, ={true,false}) =1100,1150,1200,1250
float llvm.amdgcn.fma.legacy(float, float, float) =1030,1100,1150,1200,1250
{T:float,half} llvm.amdgcn.fmad.ftz.{T:f32,f16}({T:float,half}, {T:float,half}, {T:float,half})
float llvm.amdgcn.fdiv.fast(float, float) !1
{T:float,double} llvm.amdgcn.rsq.clamp.{T:f32,f64}({T:float,double}) !1
float llvm.amdgcn.{rcp.legacy,rsq.legacy,log.clamp.f32}(float) !1 =600
{T:float,half,bfloat} llvm.amdgcn.tanh.{T:f32,f16,bf16}({T:float,half,bfloat}) !1 =1250
bfloat llvm.amdgcn.{rcp,rsq,sqrt,exp2,log}.bf16(bfloat) !1 =1250
i32 llvm.amdgcn.prng.b32(i32) =950,1250
i32 llvm.amdgcn.{mulhi.u24,mulhi.i24}(i32, i32)
i64 llvm.amdgcn.{mul.u24,mul.i24}.i64(i32, i32)
i32 llvm.amdgcn.{mul.u24,mul.i24}.i32(i32, i32)
i64 llvm.amdgcn.qsad.pk.u16.u8(i64, i32, i64) @7
i64 llvm.amdgcn.mqsad.pk.u16.u8(i64, i32, i64)
v4i32 llvm.amdgcn.mqsad.u32.u8(i64, i32, v4i32) @7
v2i32 llvm.amdgcn.perm.pk16.b4.u4(i32, i32, v2i32) =1250
v3i32 llvm.amdgcn.perm.pk16.b6.u4(i32, i64, v2i32) =1250
v4i32 llvm.amdgcn.perm.pk16.b8.u4(i64, i64, v2i32) =1250
i16 llvm.amdgcn.sat.pk4.{i4.i8,u4.u8}(i32) =1250
i32 llvm.amdgcn.sffbh.i32(i32)
{T:half,bfloat,double,i1,i16,i64,v2half,v3i32,v4float,v2double,v8i16} llvm.amdgcn.readfirstlane.{T:f16,bf16,f64,i1,i16,i64,v2f16,v3i32,v4f32,v2f64,v8i16}({T:half,bfloat,double,i1,i16,i64,v2half,v3i32,v4float,v2double,v8i16})
{T:half,bfloat,double,i1,i16,i64,v2half,v3i32,v4i16} llvm.amdgcn.readlane.{T:f16,bf16,f64,i1,i16,i64,v2f16,v3i32,v4i16}({T:half,bfloat,double,i1,i16,i64,v2half,v3i32,v4i16}, =5)
{T:i16,i64,half,bfloat,float,double,v2half,v3i32} llvm.amdgcn.writelane.{T:i16,i64,f16,bf16,f32,f64,v2f16,v3i32}({T:=i16:7,=i64:78187493520,=half:1.5,=bfloat:1.5,=float:1.5,=double:1.5,=v2half:zeroinitializer,=v3i32:zeroinitializer}, =5, {T:i16,i64,half,bfloat,float,double,v2half,v3i32})
{T:half,bfloat,double,v2half,v3i32} llvm.amdgcn.update.dpp.{T:f16,bf16,f64,v2f16,v3i32}({T:half,bfloat,double,v2half,v3i32}, {T:half,bfloat,double,v2half,v3i32}, =273, =15, =10, =false) @8
{T:half,bfloat,double,v2half} llvm.amdgcn.mov.dpp8.{T:f16,bf16,f64,v2f16}({T:half,bfloat,double,v2half}, =1754936) @10
{T:half,bfloat,i64,v2half,v3i32} llvm.amdgcn.{permlane16,permlanex16}.{T:f16,bf16,i64,v2f16,v3i32}({T:half,bfloat,i64,v2half,v3i32}, {T:half,bfloat,i64,v2half,v3i32}, =305419896, =-19088744, =false, =true) @10
{T:half,bfloat,i64,v3i32} llvm.amdgcn.permlane64.{T:f16,bf16,i64,v3i32}({T:half,bfloat,i64,v3i32}) @11
{T:half,bfloat,double,v2half,v3i32} llvm.amdgcn.set.inactive.{T:f16,bf16,f64,v2f16,v3i32}({T:half,bfloat,double,v2half,v3i32}, {T:half,bfloat,double,v2half,v3i32})
{i32, i32} llvm.amdgcn.{permlane16,permlane32}.swap(i32, i32, ={true,false}, ={true,false}) =950,1250
i32 llvm.amdgcn.permlane.{bcast,down,up,xor}.i32(i32, =3, =1) =1250 ~llvm.amdgcn.permlane.{bcast,down,up,xor}
{T:i32,float,v2half} llvm.amdgcn.wave.shuffle.{T:i32,f32,v2f16}({T:i32,float,v2half}, lane) @8
i64 llvm.amdgcn.wave.reduce.{umin,umax,min,max,add,sub,and,or,xor}.i64(i64, =0)
float llvm.amdgcn.wave.reduce.{fadd,fsub,fmin,fmax}.f32(float, =0)
double llvm.amdgcn.wave.reduce.{fadd,fsub,fmin,fmax}.f64(double_small, =0)
{T:i64,double,bfloat,v3i32} llvm.amdgcn.wave.shuffle.{T:i64,f64,bf16,v3i32}({T:i64,double,bfloat,v3i32}, lane) @8
i1 llvm.amdgcn.inverse.ballot.i{W}(=i{W}:305419896)
i32 llvm.amdgcn.ds.bpermute.fi.b32(i32, i32) @12
i64 llvm.amdgcn.s.bitreplicate(i32) @9
i{32,64} llvm.amdgcn.s.{quadmask,wqm}.i{32,64}(i{32,64}) @7
i1 llvm.amdgcn.class.{T:f16,f32,f64}({T:half,float,double}, i32) @8
half llvm.amdgcn.{fract,frexp.mant,rcp,rsq,sqrt,exp2,log}.f16(half) @8 !1
half llvm.amdgcn.{sin,cos}.f16(half_small) @8 !1
half llvm.amdgcn.fmed3.f16(half, half, half) @9
{{T:float,double}, i32} llvm.frexp.{T:f32,f64}.i32({T:float,double})
{half, i{16,32}} llvm.frexp.f16.i{16,32}(half) @8
half llvm.ldexp.f16.i16(half, i16) @8
float llvm.pow.f32(small_plus, small) !2
half llvm.pow.f16(half_small, half_small) @8 !2
float llvm.powi.f32.i32(small_plus, lane) !8
float llvm.powi.f32.i32(small, ={2,3}) !16
half llvm.powi.f16.i32(half_small, =3) @8 !2
i{32,64} llvm.{lrint,llrint,lround,llround}.i{32,64}.{T:f32,f16}({T:small,half_small}) @8
i{32,64} llvm.{lrint,lround}.i{32,64}.f64(double_small)
{{T:float,half}, {T:float,half}} llvm.sincos.{T:f32,f16}({T:small,half_small}) @8 !1
bfloat llvm.{floor,ceil,trunc,rint,round,fabs,canonicalize}.bf16(bfloat) @9
bfloat llvm.{sqrt,exp,exp2,log,log2,log10,exp10}.bf16(bfloat) @9 !1
bfloat llvm.{minnum,maxnum,copysign,minimum,maximum}.bf16(bfloat, bfloat) @9
bfloat llvm.{fma,fmuladd}.bf16(bfloat, bfloat, bfloat) @9 !1
i1 llvm.is.fpclass.bf16(bfloat, ={504,3,96,620}) @9
i{8,16,32} llvm.{fptosi,fptoui}.sat.i{8,16,32}.{T:f16,f32,f64,bf16}({T:half,float,double,bfloat}) @9
i64 llvm.{fptosi,fptoui}.sat.i64.{T:f16,f32,f64,bf16}({T:half,float,double,bfloat}) @9
i{8,16,32,64} llvm.{smul,umul}.fix.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64}, =3)
i{8,16,32} llvm.{smul,umul}.fix.sat.i{8,16,32}(i{8,16,32}, i{8,16,32}, =3)
i{16,32} llvm.{sdiv.fix,udiv.fix,sdiv.fix.sat,udiv.fix.sat}.i{16,32}(i{16,32}, =i{16,32}:{7,-29}, =3)
i{8,16,32,64} llvm.{sshl,ushl}.sat.i{8,16,32,64}(i{8,16,32,64}, =i{8,16,32,64}:3)
{T:float,double} llvm.vector.reduce.{fmin,fmax,fminimum,fmaximum}.v4{T:f32,f64}(v4{T:float,double}) @9
half llvm.vector.reduce.{fmin,fmax}.v4f16(v4half) @9
i{8,16,32,64} llvm.vector.reduce.{add,mul,and,or,xor,smin,smax,umin,umax}.v4i{8,16,32,64}(v4i{8,16,32,64})
float llvm.vector.reduce.{fadd,fmul}.v4f32(float, v4float)
v8float llvm.vector.insert.v8f32.v4f32(v8float, v4float, =i64:4)
v4float llvm.vector.extract.v4f32.v8f32(v8float, =i64:4)
v{4,8}i32 llvm.vector.reverse.v{4,8}i32(v{4,8}i32)
v4i32 llvm.vector.splice.v4i32(v4i32, v4i32, ={1,-1})
i{16,32,64} llvm.clmul.i{16,32,64}(i{16,32,64}, i{16,32,64})
i128 llvm.{ctpop,bitreverse,bswap}.i128(i128)
i128 llvm.{ctlz,cttz}.i128(i128, =false)
v4{T:float,half} llvm.{fabs,sqrt,floor}.v4{T:f32,f16}(v4{T:float,half}) @9 !2
float llvm.arithmetic.fence.f32(float)
float llvm.convert.from.fp16.f32(i16)
i16 llvm.convert.to.fp16.f32(float)
{T:float,double,half} llvm.experimental.constrained.{fadd,fsub,fmul}.{T:f32,f64,f16}({T:float,double,half}, {T:float,double,half}, =metadata:!"round.dynamic", =metadata:!"fpexcept.strict") @9
float llvm.experimental.constrained.fma.f32(float, float, float, =metadata:!"round.dynamic", =metadata:!"fpexcept.strict") @9
float llvm.experimental.constrained.{sitofp,uitofp}.f32.i32(i32, =metadata:!"round.dynamic", =metadata:!"fpexcept.strict") @9
half llvm.experimental.constrained.fptrunc.f16.f32(float, =metadata:!"round.dynamic", =metadata:!"fpexcept.strict") @9
double llvm.experimental.constrained.fpext.f64.f32(float, =metadata:!"fpexcept.strict") @9
half llvm.fptrunc.round.f16.f32(float, =metadata:!"round.tonearest") @9
i32 llvm.{scmp,ucmp}.i32.i{32,64}(i{32,64}, i{32,64})
"""
SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "i24": 4, "i48": 8, "i128": 16, "half": 2, "bfloat": 2, "float": 4, "double": 8, "small": 4, "half_small": 2,
         "scale": 4, "lane": 4, "small_plus": 4, "double_small": 8}
TYPES = {"small": "float", "half_small": "half", "scale": "float", "lane": "i32",
         "small_plus": "float", "double_small": "double"}
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 3.0, 1e-30, -1e30, 88.7, -103.5, 38.5, -44.9, 127.9, -149.5,
          1e-40, float("inf"), float("-inf"), 8388609.0, 4194304.5, 0.1, 1e-45, 100.7, 2.0, 10.0, 255.5, 65535.0]


def expand(line):
    """The lines that choices in braces stand for: where the same choice stands twice, both are taken alike, and choices that begin
    with the same letter and a colon go together."""
    named = re.findall(r"\{(([A-Z]):([^{}]*))\}", line)
    if named:
        letter, count = named[0][1], len(named[0][2].split(","))
        return [one for k in range(count) for one in
                expand(re.sub(r"\{" + letter + r":([^{}]*)\}", lambda m, k=k: m[1].split(",")[k], line))]
    found = next((m[1] for m in re.finditer(r"\{([^{} ]*,[^{} ]*)\}", line)), None)
    return [line] if not found else [one for choice in found.split(",") for one in expand(line.replace("{" + found + "}", choice))]


def wave_of(processor, wave64):
    return 64 if int(processor[3:-2], 10) < 10 or wave64 else 32


def table(processor, wave64):
    generation = int(processor[3:-2], 10)
    wave = wave_of(processor, wave64)
    for line in filter(None, TABLE.split("\n")):
        for one in expand(line.replace("{W}", str(wave))):
            found = re.match(r"(\{[^}]*\}|\S+) (llvm\.\S+?)\(([^)]*)\)(?: @(\d+)(?:\.\.(\d+))?)?(?: !(\d+))?(?: =(\S+))?(?: ~(\S+))?$", one)
            some = not found[7] or processor[3:] in found[7].split(",")
            if int(found[4] or 0) <= generation <= int(found[5] or 99) and some:
                yield found[1], found[2], [a.strip() for a in found[3].split(",") if a.strip()], int(found[6] or 0), found[8]


def value(rng, kind):
    """The bytes of one value."""
    count, element = elements(kind)
    if kind != element:
        return b"".join(value(rng, element) for _ in range(count)).ljust(stride(kind), b"\0")
    if kind == "bfloat":
        return value(rng, "float")[2:]
    if kind in ("small", "half_small"):
        number = rng.uniform(-3, 3)
        return struct.pack("<f" if kind == "small" else "<e", number)
    if kind in ("small_plus", "double_small"):
        return struct.pack("<f", rng.uniform(0.1, 3)) if kind == "small_plus" else struct.pack("<d", rng.uniform(-3000, 3000))
    if kind == "lane":
        return struct.pack("<i", rng.randrange(64))
    if kind == "scale":
        return struct.pack("<f", 2.0 ** rng.randrange(-6, 7))
    if kind in ("half", "float", "double"):
        number = rng.choice(FLOATS) if rng.random() < 0.5 else rng.choice([-1, 1]) * 2 ** rng.uniform(-30, 30)
        if kind == "half" and abs(number) > 60000 and not math.isinf(number):
            number = math.copysign(60000, number)
        return struct.pack({"half": "<e", "float": "<f", "double": "<d"}[kind], number)
    size = SIZES[kind]
    bits = rng.choice([rng.getrandbits(8 * size), rng.randrange(-3, 70), 1 << rng.randrange(8 * size)])
    width = int(kind[1:]) if kind != "i1" else 8
    return (bits & ((1 << width) - 1)).to_bytes(size, "little")


def elements(kind):
    """(v16float: 16, float)"""
    found = re.match(r"v(\d+)(\w+)$", kind)
    return (int(found[1]), found[2]) if found else (1, kind)


def size_of(kind):
    count, element = elements(kind)
    return count * SIZES[element]


def stride(kind):
    """Values stand so far apart that each is aligned."""
    return 1 << (size_of(kind) - 1).bit_length()


def ir_type(kind):
    count, element = elements(kind)
    element = TYPES.get(element, element)
    return f"<{count} x {element}>" if kind != element and kind not in TYPES else element


def members(result):
    """{i32, i1}: i32, i1"""
    return [one.strip() for one in result[1:-1].split(",")] if result[0] == "{" else [result]


def kernel(number, result, name, arguments):
    """(text, the declaration)"""
    lines = [f"define amdgpu_kernel void @k{number}(ptr addrspace(1) %out" +
             "".join(f", ptr addrspace(1) %p{i}" for i, a in enumerate(arguments) if a[0] != "=") + ") #0 {",
             "  %id = call i32 @llvm.amdgcn.workitem.id.x()"]
    given, types = [], []
    for i, a in enumerate(arguments):
        if a[0] == "=":
            typed = re.match(r"=(\w+):(.*)", a)
            kind = ir_type(typed[1]) if typed else "i1" if a in ("=false", "=true") else "i32"
            given.append(f"{kind} {typed[2] if typed else a[1:]}")
        else:
            kind = ir_type(a)
            memory = "i8" if a == "i1" else kind
            lines += [f"  %a{i} = getelementptr [{stride(a)} x i8], ptr addrspace(1) %p{i}, i32 %id",
                      f"  %v{i} = load {memory}, ptr addrspace(1) %a{i}"]
            if a == "i1":
                lines.append(f"  %w{i} = trunc i8 %v{i} to i1")
            given.append(f"{kind} %{'w' if a == 'i1' else 'v'}{i}")
        types.append(kind)
    whole = "{" + ", ".join(map(ir_type, members(result))) + "}" if result[0] == "{" else ir_type(result)
    lines.append(f"  %r = call {whole} @{name}({', '.join(given)})")
    for i, one in enumerate(members(result)):
        kept, kind = "%r", ir_type(one)
        if result[0] == "{":
            kept = f"%m{i}"
            lines.append(f"  {kept} = extractvalue {whole} %r, {i}")
        if one == "i1":
            lines.append(f"  %z{i} = zext i1 {kept} to i8")
            kept, kind = f"%z{i}", "i8"
        lines += [f"  %s{i} = getelementptr [{stride(one)} x i8], ptr addrspace(1) %out, i32 %id",
                  f"  %at{i} = getelementptr i8, ptr addrspace(1) %s{i}, i32 {LANES * sum(map(stride, members(result)[:i]))}",
                  f"  store {kind} {kept}, ptr addrspace(1) %at{i}"]
    return "\n".join(lines + ["  ret void", "}"]), f"declare {whole} @{name}({', '.join(types)})"


def target_of(options):
    return [f"-mcpu={options.processor}"] + ["-mattr=+wavefrontsize64"] * options.wave64


def compile_both(options, base, text, theirs):
    """None, or what is wrong; our code in base.cc, llc's in base.llc."""
    for path, what in ((base + ".ll", text), (base + ".llc.ll", theirs)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(what)
    target = target_of(options)
    llc = subprocess.run(["timeout", "10", "llc-22", "-O1", *target, "-filetype=obj", base + ".llc.ll", "-o", base + ".o"],
                         capture_output=True, text=True, check=False)
    if llc.returncode:
        return "llc", (llc.stderr or "").strip()[:200]
    subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", base + ".llc"], check=True)
    ours = subprocess.run([options.offgrid, "cc", *target, base + ".ll", "-o", base + ".cc"],
                          capture_output=True, text=True, errors="replace", check=False)
    return ("ours", (ours.stderr.strip().splitlines() or [str(ours.returncode)])[0]) if ours.returncode else None


def run(options, code, name, size, inputs):
    out = code + ".out"
    with open(out, "wb") as file:
        file.write(bytes(size))
    arguments = ["--arg", f"inout:{out}"]
    for i, data in enumerate(inputs):
        path = f"{code}.in{i}"
        with open(path, "wb") as file:
            file.write(data)
        arguments += ["--arg", f"in:{path}"]
    done = subprocess.run([options.offgrid, "run", code, "--kernel", name, "--grid", str(LANES), "--group", str(LANES), "--timeout",
                           "20", *arguments], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        return (done.stderr or done.stdout)[:200], b""
    with open(out, "rb") as file:
        return None, file.read()


def differs(kind, a, b, ulps):
    """Whether two results are further from each other than is allowed."""
    count, element = elements(kind)
    if kind != element:
        each = SIZES[element]
        return any(differs(element, a[k * each:k * each + each], b[k * each:k * each + each], ulps) for k in range(count))
    if kind not in ("half", "bfloat", "float", "double"):
        return a != b
    code, zeros = {"half": ("<e", b""), "bfloat": ("<f", bytes(2)), "float": ("<f", b""), "double": ("<d", b"")}[kind]
    x, y = struct.unpack(code, zeros + a)[0], struct.unpack(code, zeros + b)[0]
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) != math.isnan(y)
    p, q = int.from_bytes(a, "little"), int.from_bytes(b, "little")
    return abs(p - q) > ulps and not x == y == 0 if ulps else a != b


def in_waves(wave, code, whole):
    """The formula of a reduction of all lanes of a wave; `whole` takes their numbers."""
    def formula(x, *_):
        numbers = [struct.unpack(code, one)[0] for one in x]
        return [struct.pack(code, whole(numbers[lane // wave * wave:][:wave])) for lane in range(LANES)]
    return formula


def formulas(wave):
    """What llc-22 does not know, by our own arithmetic: lists of the lanes' bytes to such a list."""
    out = {f"llvm.amdgcn.wave.reduce.{kind}.f64": in_waves(wave, "<d", whole) for kind, whole in
           {"fadd": lambda x: functools.reduce(lambda a, b: a + b, x), "fsub": lambda x: functools.reduce(lambda a, b: a - b, x, -0.0),
            "fmin": min, "fmax": max}.items()}
    for kind in ("i64", "f64", "bf16", "v3i32"):
        out[f"llvm.amdgcn.wave.shuffle.{kind}"] = lambda x, to: [x[lane // wave * wave + to[lane][0] % wave] for lane in range(LANES)]
    return out


def lanes_of(data):
    each = len(data) // LANES
    return [data[k * each:][:each] for k in range(LANES)]


def check_formula(options, base, name, result, inputs, formula):
    ours = subprocess.run([options.offgrid, "cc", *target_of(options), base + ".ll", "-o", base + ".cc"],
                          capture_output=True, text=True, errors="replace", check=False)
    failed, data = run(options, base + ".cc", name, LANES * stride(result), inputs) if not ours.returncode else (ours.stderr, b"")
    if failed:
        return failed
    for lane, (a, b) in enumerate(zip(lanes_of(data), formula(*map(lanes_of, inputs)))):
        if differs(result, a[:size_of(result)], b[:size_of(result)], 0):
            return f"lane {lane}: {a[::-1].hex()}, by the formula {b[::-1].hex()}"
    return None


def check(options, number, entry, folder):
    result, name, arguments, ulps, instead = entry
    rng = random.Random(f"{options.seed} {name}")
    body, declaration = kernel(number, result, name, arguments)
    text = "\n".join(['target triple = "amdgcn-amd-amdhsa"', body, "declare i32 @llvm.amdgcn.workitem.id.x()", declaration,
                      'attributes #0 = { "amdgpu-flat-work-group-size"="1,128" "denormal-fp-math-f32"="ieee,ieee" }']) + "\n"
    error = compile_both(options, os.path.join(folder, f"k{number}"), text, text.replace(f"@{name}(", f"@{instead or name}("))
    inputs = [b"".join(value(rng, a) for _ in range(LANES)) for a in arguments if a[0] != "="]
    base = os.path.join(folder, f"k{number}")
    formula = formulas(wave_of(options.processor, options.wave64)).get(name)
    if error and error[0] == "llc":
        return check_formula(options, base, f"k{number}", result, inputs, formula) if formula else f"(not by llc-22: {error[1][:80]})"
    if error:
        return error[1]
    size = LANES * sum(map(stride, members(result)))
    (wrong, theirs), (failed, ours) = run(options, base + ".llc", f"k{number}", size, inputs), \
        run(options, base + ".cc", f"k{number}", size, inputs)
    if wrong or failed:
        return f"llc's: {wrong}, ours: {failed}"
    at = 0
    for one in members(result):
        for lane in range(LANES):
            a, b = (data[at + lane * stride(one):][:size_of(one)] for data in (ours, theirs))
            if differs(one, a, b, ulps):
                said = [d[lane * len(d) // LANES:(lane + 1) * len(d) // LANES][::-1].hex() for d in inputs]
                return f"of {', '.join(said)}: {a[::-1].hex()}, by llc's code {b[::-1].hex()}"
        at += LANES * stride(one)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--every", type=int, default=1, help="each so manieth intrinsic alone")
    parser.add_argument("--wave64", action="store_true", help="waves of 64 from gfx10 on")
    parser.add_argument("--quiet", action="store_true", help="say nothing of what llc-22 refuses")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    failed = passed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for number, entry in enumerate(table(options.processor, options.wave64)):
            if not re.search(options.only, entry[1]) or number % options.every:
                continue
            error = check(options, number, entry, folder)
            note = error and error.startswith("(")
            passed, failed = passed + (not error), failed + bool(error and not note)
            if error and not (note and options.quiet):
                print(f"{entry[1]}({', '.join(entry[2])}): {error}")
    print(f"{passed} of {passed + failed} intrinsics on {options.processor} do what llc-22's code does")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
