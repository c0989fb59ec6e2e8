break total.cl:5 if sum < k * 20000
run
print k
delete
break total.cl:6
run
continue 3
lane 1
info locals
print/x sum + next
stepi 2
print/x sum
quit
