// SPDX-License-Identifier: Apache-2.0

/// What a capture is told.
enum CaptureOrder: BitwiseCopyable, Sendable {
  /// Take from a frame on; `Int64.min` is at once.
  case start(at: Int64)
  case pause
  case stop
}

/// What lies between the frames that a capture has taken.
struct CaptureMark: BitwiseCopyable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The next frame does not follow the one before it.
    case begin
    case paused, stopped

    /// Whether somebody waits for it in any case.
    var isStop: Bool {
      @_noAllocation @_noLocks
      get {
        switch self {
        case .stopped: true
        default: false
        }
      }
    }
  }

  let kind: Kind
  /// The frames that were taken before it.
  let taken: Int64
  /// The frame at which it is, in the count of what is captured.
  let frame: Int64
  /// The frames that were lost before it; below 0 is an unknown number of them.
  let lost: Int64

  @_noAllocation @_noLocks
  init(kind: Kind, taken: Int64, frame: Int64, lost: Int64) {
    self.kind = kind
    self.taken = taken
    self.frame = frame
    self.lost = lost
  }
}
