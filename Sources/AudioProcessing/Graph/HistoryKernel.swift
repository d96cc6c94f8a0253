// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a history.
@safe
struct HistoryKernel: ~Copyable {
  /// Channel after channel, each a circle.
  private let samples: UnsafeMutablePointer<Float>
  /// The frames of a circle, a power of two and whole quanta.
  private let capacity: Int
  private let fadeFrames: Int
  /// The frames that were written.
  private var written = 0
  /// The frame at which the quantum began that was written last.
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

  /// Adds a quantum, once: while one program takes over from another, both bring it.
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

  /// Copies the quantum that was written last, as it was a number of frames ago.
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
