tbreak k+0x28 if $group == 1
run
print $n
print/x $s[6:7]
goto 6
print $n
goto 16
print/x $s[6:7]
goto 12
print global.u32[$arg0]
set global.u32[$arg0] = 1000
stepi 3
print $n
print global.u32[$arg0]
reverse-stepi 2
print global.u32[$arg0]
continue
print global.u32[$arg0]
reverse-continue
print global.u32[$arg0]
