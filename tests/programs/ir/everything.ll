; Constructs that C seldom or never produces; written by hand, with and without numbers.
source_filename = "everything.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"

module asm ".globl \22quoted\22"

%0 = type { i32, ptr }
%opaque = type opaque
%"name with space" = type <{ i8, [3 x %0], %recursive }>
%recursive = type { ptr, i64 }

$group = comdat any
$"odd name" = comdat largest

@0 = private unnamed_addr constant [3 x i8] c"\00\22\5C"
@"g \22x" = linkonce_odr dso_local local_unnamed_addr global i32 5, comdat($group), align 4
@tls = internal thread_local(localexec) global i64 0, section "x", align 8
@space = addrspace(1) externally_initialized global i32 undef
@expressions = constant [5 x i64] [i64 ptrtoint (ptr getelementptr inbounds (%0, ptr @table, i64 1, i32 1) to i64), i64 sub (i64 ptrtoint (ptr @tls2 to i64), i64 3), i64 trunc (i128 ptrtoint (ptr @table to i128) to i64), i64 xor (i64 ptrtoint (ptr @0 to i64), i64 -1), i64 undef]
@table = global [2 x %0] [%0 { i32 1, ptr null }, %0 { i32 2, ptr getelementptr inrange(-8, 8) (i8, ptr @0, i64 1) }]
@tls2 = common global i64 0
@vector = global <4 x i16> splat (i16 9)
@packed = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@zero = global { i1, [0 x i8], {} } { i1 true, [0 x i8] zeroinitializer, {} zeroinitializer }
@floats = global { half, bfloat, float, double, x86_fp80, fp128, double } { half 0xH3C00, bfloat 0xR3F80, float 0x3FB99999A0000000, double -1.25, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000, double 0x7FF8000000000003 }
@labels = internal global [1 x ptr] [ptr blockaddress(@numbered, %3)]
@hex = global i32 u0x1F

@other = weak hidden alias i32, ptr @"g \22x"
@shifted = internal alias i8, getelementptr (i8, ptr @table, i64 8)
@choose = ifunc void (), ptr @resolver

define internal ptr @resolver() {
  ret ptr null
}

define i32 @numbered(i32, ptr addrspace(1) %space) {
  %2 = add i32 %0, 1
  br label %3
3:
  %4 = phi i32 [ %2, %1 ], [ %5, %3 ]
  %5 = add nuw nsw i32 %4, 1
  %6 = icmp samesign ult i32 %5, 10
  br i1 %6, label %3, label %7
7:                                                ; preds = %3
  load i32, ptr addrspace(1) %space
  ret i32 %8
}

define <2 x ptr> @"odd function"(ptr %p, <2 x i64> %i, <2 x i1> %c) #0 {
"first block":
  %g = getelementptr inbounds nuw i8, ptr %p, <2 x i64> %i
  %s = select <2 x i1> %c, <2 x ptr> %g, <2 x ptr> zeroinitializer
  %d = or disjoint <2 x i64> %i, splat (i64 8)
  %t = trunc nuw nsw <2 x i64> %d to <2 x i8>
  %z = zext nneg <2 x i8> %t to <2 x i64>
  %f = uitofp nneg <2 x i64> %z to <2 x float>
  %"a b" = fadd nnan nsz <2 x float> %f, <float 1.0, float poison>
  %q = fcmp fast ord <2 x float> %"a b", %f
  %n = fneg arcp <2 x float> %f
  %x = extractelement <2 x float> %n, i32 1
  %v = insertelement <2 x float> poison, float %x, i64 0
  %w = shufflevector <2 x float> %v, <2 x float> undef, <4 x i32> <i32 0, i32 undef, i32 3, i32 1>
  %y = shufflevector <2 x float> %v, <2 x float> undef, <3 x i32> zeroinitializer
  %fr = freeze <2 x i64> %d
  br label %"second block"
"second block":
  %ph = phi <2 x i64> [ %fr, %"first block" ], [ zeroinitializer, %"second block" ]
  switch i8 0, label %"second block" [ i8 1, label %done
    i8 -3, label %done ]
done:
  ret <2 x ptr> %s
}

define void @memory(ptr sret({ i32, i32 }) initializes((0, 4)) captures(none) dereferenceable(8) %r, ptr %p, i64 %n, ptr byval(%0) align 8 %b) memory(argmem: readwrite) "key"="v(a)lue" {
entry:
  %a = alloca %0, i64 %n, align 16
  %c = alloca i32
  store volatile i32 1, ptr %c
  %l = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
  store atomic i64 %n, ptr %p release, align 8
  %m = atomicrmw volatile umax ptr %p, i32 %l syncscope("singlethread") monotonic, align 4
  %fa = atomicrmw fadd ptr %p, float 1.0 seq_cst
  %x = cmpxchg weak volatile ptr %p, i64 1, i64 2 acq_rel monotonic, align 8
  %x0 = extractvalue { i64, i1 } %x, 0
  fence syncscope("singlethread") seq_cst
  %st = insertvalue { i32, { i8, [2 x i16] } } undef, i16 3, 1, 1, 0
  %ex = extractvalue { i32, { i8, [2 x i16] } } %st, 1, 1
  %va = va_arg ptr %p, i32
  %as = addrspacecast ptr %p to ptr addrspace(257)
  %ad = ptrtoaddr ptr %p to i64
  %bc = bitcast i64 %ad to double
  %undef = load i32, ptr %p, align 4, !range !{i32 0, i32 5}
  indirectbr ptr %p, [label %end, label %entry2]
entry2:
  unreachable
end:
  ret void
}

declare void @llvm.assume(i1)
declare !kcfi_type !3 extern_weak dso_local noundef range(i32 0, 5) i32 @callee(ptr noundef readonly captures(none), ...) #0
declare fastcc zeroext i8 @fast(i8 signext)
declare ptr @allocate(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"

declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare float @llvm.sqrt.f32(float)

define void @calls(ptr %f, ptr %p) {
  %r = tail call noundef range(i32 0, 5) i32 (ptr, ...) @callee(ptr noundef nonnull align 8 dereferenceable_or_null(16) captures(none) %p, i32 range(i32 -1, 3) 2, ptr byval({ i32, [2 x i8] }) align 4 %p) #1
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), "nonnull"(ptr %f) ]
  %u = notail call fastcc zeroext i8 @fast(i8 signext -1) nounwind "a"="b"
  %v = call fast float @llvm.sqrt.f32(float 2.0)
  %w = call cc 10 { i32, i1 } %f(ptr nonnull %p, <2 x i64> <i64 1, i64 2>)
  %x = call i64 asm sideeffect inteldialect "mov $0, $1 # ; \22x\22", "=r,r,~{memory}"(i64 5) #2, !srcloc !0
  call void asm "", "*m,~{dirflag}"(ptr elementtype(i32) %p)
  %y = call double @llvm.experimental.constrained.fadd.f64(double 1.0, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  call void inttoptr (i64 4096 to ptr)(ptr @0, { i32, ptr } { i32 1, ptr @calls })
  musttail call void @calls(ptr %f, ptr %p)
  ret void
}

attributes #0 = { nounwind memory(read, inaccessiblemem: none) "target-cpu"="x86-64" }
attributes #1 = { nomerge }
attributes #2 = { nounwind
  memory(none) }

!named.node = !{!0, !1}
!0 = !{i64 12}
!1 = distinct !{!1, !"text; with } brackets", !2}
!3 = !{i32 5}
!2 = !{!"x", i32 1,
  ptr @0}
