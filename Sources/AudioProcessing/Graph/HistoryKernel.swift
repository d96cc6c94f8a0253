// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a history.
@safe
struct HistoryKernel: ~Copyable {
  /// The ring of each channel, one after the other.
  private let samples: UnsafeMutablePointer<Float>
  /// The frames of a ring: a power of two, and a multiple of the quantum.
  private let capacity: Int
  private let fadeFrames: Int
  /// The number of frames written.
  private var written = 0
  /// The first frame of the last quantum written.
  private var last = Int64.min

  init(channelCount: Int, capacity: Int, fadeFrames: Int) {
    self.capacity = capacity
    self.fadeFrames = fadeFrames
    unsafe samples = .allocate(capacity: max(1, channelCount) * capacity)
    unsafe samples.initialize(repeating: 0, count: max(1, channelCount) * capacity)
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// Appends a quantum.
  ///
  /// A second call for the same quantum, during a transition, is ignored.
  @_noAllocation @_noLocks
  mutating func write(_ bus: Bus, at start: SampleTime) {
    guard start.frames != last else { return }
    last = start.frames
    let place = written & (capacity &- 1)
    for channel in 0..<bus.channelCount {
      let source = unsafe bus.channel(channel)
      let target = unsafe samples + (channel &* capacity &+ place)
      for frame in 0..<AudioFormat.quantum { unsafe target[frame] = source[frame] }
      if written < fadeFrames { unsafe fadeIn(target) }
    }
    written &+= AudioFormat.quantum
  }

  @_noAllocation @_noLocks
  private func fadeIn(_ target: UnsafeMutablePointer<Float>) {
    for frame in 0..<AudioFormat.quantum {
      let passed = min(fadeFrames, written &+ frame)
      unsafe target[frame] *= FadeKernel.share(Float(passed) / Float(fadeFrames))
    }
  }

  /// Copies the last quantum, delayed by a number of frames.
  @_noAllocation @_noLocks
  func read(_ delay: Int, into bus: Bus) {
    let first = (written &- AudioFormat.quantum &- delay) & (capacity &- 1)
    let count = min(AudioFormat.quantum, capacity &- first)
    for channel in 0..<bus.channelCount {
      let circle = unsafe samples + channel &* capacity
      let target = unsafe bus.channel(channel)
      for frame in 0..<count { unsafe target[frame] = circle[first &+ frame] }
      for frame in count..<AudioFormat.quantum {
        unsafe target[frame] = circle[frame &- count]
      }
    }
  }
}
