# From the symptom, 64 where 128 is expected, to the line.
break 35 if $scc == 0
run
# The loop is left, and the sum is in two places still.
print $s8
x/4f32 lds:0
# The last addition to the first place: with which step?
watch lds.f32[0]
reverse-continue
print $s8
print/f32 $v5[0]
delete
# After a step of 2 the loop should go on with 1, and asks for more than 1.
tbreak 35 if $s8 == 1 && $wave == 0
tbreak 35 if $s8 == 1 && $wave == 1
continue
list
# If it went on, the sum would be right.
set $scc = 1
continue
set $scc = 1
tbreak 38
continue
x/1f32 lds:0
continue
x/1f32 $arg0
