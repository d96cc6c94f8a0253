// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// Who is told before and after a unit renders.
@safe
struct RenderNotify: @unchecked Sendable, Equatable {
  // Unchecked: whoever gave the pointer answers for the thread on which it is used.
  let function: AURenderCallback
  let data: UnsafeMutableRawPointer?

  static func == (left: Self, right: Self) -> Bool {
    let sameData = unsafe left.data == right.data
    return unsafe sameData
      && unsafeBitCast(left.function, to: Int.self) == unsafeBitCast(right.function, to: Int.self)
  }
}
