// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Quanta that FluidSynth made in one call and that are given on one at a time.
///
/// One call for several costs less than as many calls: each voice's samples and state come into
/// the cache once. The sound is the same.
@safe
struct SynthRun: ~Copyable {
  /// The most quanta of a run.
  static var limit: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  /// Quanta made and not yet given.
  private(set) var left = 0
  private var next = 0
  private let channelCount: Int
  /// Each channel's frames follow one another; touched only where runs are made.
  private let samples: UnsafeMutablePointer<Float>

  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe samples = .allocate(capacity: channelCount * Self.limit * AudioFormat.quantum)
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// Begins a run of silence; `pointers` are where each channel's frames go.
  @_noAllocation @_noLocks
  mutating func begin(
    _ count: Int, _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    let frames = count &* AudioFormat.quantum
    unsafe samples.update(repeating: 0, count: channelCount &* frames)
    for channel in 0..<channelCount { unsafe pointers[channel] = samples + channel &* frames }
    (left, next) = (count, 0)
  }

  /// Writes the next quantum to stereo outputs.
  @_noAllocation @_noLocks
  mutating func give(to block: RenderBlock) {
    let quantum = AudioFormat.quantum
    let length = left &+ next
    for index in 0..<block.outputCount {
      for side in 0..<2 {
        let channel = 2 &* index &+ side
        let place = (channel &* length &+ next) &* quantum
        let target = unsafe block.output(index).channel(side)
        for frame in 0..<quantum { unsafe target[frame] = samples[place &+ frame] }
      }
    }
    (left, next) = (left &- 1, next &+ 1)
  }

  /// Forgets what was not given.
  @_noAllocation @_noLocks
  mutating func drop() { left = 0 }
}
