break sum
break 28 if $s8 == 32 && $wave == 0
info breakpoints
run
delete 1
continue
info breakpoints
print $v0
print/x $v5[3]
print/f32 $v5[3]
print/u16 $v5[3]
print/bf16 $v5[3]
print/i8 $v5[3]
print/f64 $v[5:6]
print $s[0:1] == $arg0
print f32($v5[3]) * 2
print/x $exec
print any($v0 == 31)
print all($v0 == 31)
x/2f32 lds:0
print lds.f32[4]
x/2i $pc
x/2f32 $arg1
set $v6[0] = f32(0x447a0000)
set f32($v6[0]) = 1000
print/f32 $v6[0]
stepi
next
print lds.f32[0]
step-wave
wave 0.0
lane 7
lane 0
watch lds.f32[0]
reverse-continue
reverse-stepi
print/f32 $v6[0]
delete
rwatch lds.f32[64]
continue
delete
continue
