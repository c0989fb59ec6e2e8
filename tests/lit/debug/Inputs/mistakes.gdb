brake 5
stepi
break nowhere
break 4000
print $pc
reverse-stepi
start
print $v1024
print $v0[64]
print lds.u32[0x10000]
print global.u32[0x10]
print 1 +
print (1
print 1 / 0
print/f64 $v0
print/q $v0
watch 1 + 1
set 5 = 6
delete 17
wave 9.9
lane 64
