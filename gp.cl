
__attribute__((noinline)) int sum(int *p, int n){ int s=0; for(int j=0;j<n;j++) s+=p[j]*(j+1); return s; }
__attribute__((noinline)) void put(int *p, int n, int v){ for(int j=0;j<n;j++) p[j]=v+j; }
kernel void g(global int*o, local int *unused){ int t[8]; local int l[8]; int i=get_global_id(0); put(t,8,i); int a=sum(t,8); if (i%64==0) put(l,8,5); barrier(CLK_LOCAL_MEM_FENCE); o[i]=a+sum(l,8); }
