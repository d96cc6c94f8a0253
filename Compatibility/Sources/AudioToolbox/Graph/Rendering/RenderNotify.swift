// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// A function that is called before and after a unit renders.
@safe
struct RenderNotify: @unchecked Sendable, Equatable {
  // Unchecked: the caller that passed the pointer is responsible for the threads that use it.
  let function: AURenderCallback
  let data: UnsafeMutableRawPointer?

  static func == (left: Self, right: Self) -> Bool {
    let sameData = unsafe left.data == right.data
    return unsafe sameData
      && unsafeBitCast(left.function, to: Int.self) == unsafeBitCast(right.function, to: Int.self)
  }
}
