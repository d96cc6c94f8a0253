// SPDX-License-Identifier: Apache-2.0

/// A command to a capture.
enum CaptureOrder: BitwiseCopyable, Sendable {
  /// Capture from a frame; `Int64.min` is immediately.
  case start(at: Int64)
  case pause
  case stop
}

/// A mark between captured frames.
struct CaptureMark: BitwiseCopyable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The next frame does not follow the last one.
    case begin
    case paused, stopped

    /// True if the mark is reported even if the capture was not running.
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
  /// The number of frames captured before the mark.
  let taken: Int64
  /// The frame of the mark, on the captured timeline.
  let frame: Int64
  /// The number of frames lost before the mark; below 0 if unknown.
  let lost: Int64

  @_noAllocation @_noLocks
  init(kind: Kind, taken: Int64, frame: Int64, lost: Int64) {
    self.kind = kind
    self.taken = taken
    self.frame = frame
    self.lost = lost
  }
}
