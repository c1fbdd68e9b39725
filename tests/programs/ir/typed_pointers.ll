; As clang 13 and 14 write it: pointers carry their type.
source_filename = "typed.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { i32, %struct.node*, i32 (i8*, ...)*, [4 x i8*] }

@.str = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1
@head = dso_local global %struct.node* null, align 8
@handlers = dso_local global [2 x void (i32)*] [void (i32)* @handle, void (i32)* null], align 16
@middle = dso_local global i8* bitcast (i32* getelementptr inbounds ([4 x i32], [4 x i32]* @numbers, i64 0, i64 2) to i8*), align 8
@numbers = dso_local global [4 x i32] zeroinitializer, align 16
@alias = dso_local alias i32, getelementptr inbounds ([4 x i32], [4 x i32]* @numbers, i64 0, i64 0)

; Function Attrs: noinline nounwind uwtable
define dso_local void @handle(i32 noundef %0) #0 !dbg !7 {
  %2 = alloca i32, align 4
  store i32 %0, i32* %2, align 4
  call void @llvm.dbg.declare(metadata i32* %2, metadata !12, metadata !DIExpression()), !dbg !13
  %3 = load i32, i32* %2, align 4, !dbg !14
  %4 = call i32 (i8*, ...) @printf(i8* noundef getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0), i32 noundef %3), !dbg !14
  ret void, !dbg !15
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #1
declare i32 @printf(i8* noundef, ...) #2
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #3

define dso_local void @walk(%struct.node* noalias sret(%struct.node) align 8 %out, %struct.node* noundef %0, void (i32)** %1) #0 {
  %3 = alloca %struct.node*, align 8
  store %struct.node* %0, %struct.node** %3, align 8
  %4 = load %struct.node*, %struct.node** %3, align 8
  %5 = getelementptr inbounds %struct.node, %struct.node* %4, i32 0, i32 3, i64 1
  %6 = load i8*, i8** %5, align 8
  %7 = bitcast %struct.node* %4 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %6, i8* align 8 %7, i64 56, i1 false)
  %8 = icmp ne %struct.node* %4, null
  br i1 %8, label %9, label %14

9:                                                ; preds = %2
  %10 = load void (i32)*, void (i32)** %1, align 8
  call void %10(i32 noundef 3)
  %11 = ptrtoint i8* %6 to i64
  %12 = inttoptr i64 %11 to i32 (i8*, ...)*
  %13 = call i32 (i8*, ...) %12(i8* noundef %6, i64 1)
  br label %14

14:                                               ; preds = %9, %2
  %15 = phi i8* [ %6, %9 ], [ null, %2 ]
  %16 = select i1 %8, i8* %15, i8* inttoptr (i64 16 to i8*)
  %17 = cmpxchg i8** %5, i8* %15, i8* %16 seq_cst seq_cst, align 8
  %18 = call i64 asm "mov $1, $0", "=r,*m,~{dirflag},~{fpsr},~{flags}"(i8** elementtype(i8*) %5) #4
  ret void
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { "frame-pointer"="all" }
attributes #3 = { argmemonly nofree nounwind willreturn }
attributes #4 = { nounwind readnone }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "typed.c", directory: "/src")
!2 = !{}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!7 = distinct !DISubprogram(name: "handle", scope: !1, file: !1, line: 5, type: !8, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!8 = !DISubroutineType(types: !9)
!9 = !{null, !10}
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !DILocalVariable(name: "x", arg: 1, scope: !7, file: !1, line: 5, type: !10)
!13 = !DILocation(line: 5, column: 17, scope: !7)
!14 = !DILocation(line: 6, column: 3, scope: !16)
!15 = !DILocation(line: 7, column: 1, scope: !7)
!16 = distinct !DILexicalBlock(scope: !7, file: !1, line: 6)
