// SPDX-License-Identifier: Apache-2.0
// The Core Foundation that is part of Swift, and functions that call it with Foundation's objects.
#pragma once
#if __has_include(<CoreFoundation/CoreFoundation.h>)
#include <CoreFoundation/CoreFoundation.h>

// The mode with a name. A string of Foundation is also a string of Core Foundation, but Swift does
// not know this. Core Foundation recognises the common modes and the default mode by their
// addresses.
static inline CFStringRef _Nonnull CoreAudioRunLoopMode(const void *_Nonnull name) {
  if (CFEqual(name, kCFRunLoopCommonModes)) return kCFRunLoopCommonModes;
  return CFEqual(name, kCFRunLoopDefaultMode) ? kCFRunLoopDefaultMode : (CFStringRef)name;
}

static inline int32_t CoreAudioRunLoopRunInMode(
    const void *_Nonnull mode, double seconds, bool returnAfterSourceHandled) {
  return CFRunLoopRunInMode(CoreAudioRunLoopMode(mode), seconds, returnAfterSourceHandled);
}

static inline void CoreAudioRunLoopPerform(
    CFRunLoopRef _Nonnull loop, const void *_Nonnull mode, void (^_Nonnull block)(void)) {
  CFRunLoopPerformBlock(loop, CoreAudioRunLoopMode(mode), block);
  CFRunLoopWakeUp(loop);
}

static inline void CoreAudioRunLoopAddTimer(
    CFRunLoopRef _Nonnull loop, CFRunLoopTimerRef _Nonnull timer, const void *_Nonnull mode) {
  CFRunLoopAddTimer(loop, timer, CoreAudioRunLoopMode(mode));
}

static inline void CoreAudioRunLoopRemoveTimer(
    CFRunLoopRef _Nonnull loop, CFRunLoopTimerRef _Nonnull timer, const void *_Nonnull mode) {
  CFRunLoopRemoveTimer(loop, timer, CoreAudioRunLoopMode(mode));
}

static inline void CoreAudioRunLoopAddSource(
    CFRunLoopRef _Nonnull loop, CFRunLoopSourceRef _Nonnull source, const void *_Nonnull mode) {
  CFRunLoopAddSource(loop, source, CoreAudioRunLoopMode(mode));
}

static inline void CoreAudioRunLoopRemoveSource(
    CFRunLoopRef _Nonnull loop, CFRunLoopSourceRef _Nonnull source, const void *_Nonnull mode) {
  CFRunLoopRemoveSource(loop, source, CoreAudioRunLoopMode(mode));
}

// True if a run loop is running.
static inline bool CoreAudioRunLoopRuns(CFRunLoopRef _Nonnull loop) {
  CFStringRef mode = CFRunLoopCopyCurrentMode(loop);
  if (mode) CFRelease(mode);
  return mode != 0;
}
#endif
