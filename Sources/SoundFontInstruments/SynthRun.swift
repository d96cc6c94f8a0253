// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Quanta that are rendered in one call and output one at a time.
///
/// One call for several quanta is faster, because each voice's samples and state are loaded into
/// the cache once. The sound is the same.
@safe
struct SynthRun: ~Copyable {
  /// The maximum number of quanta in a run.
  static var limit: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  /// The number of quanta that are rendered but not output.
  private(set) var left = 0
  private var next = 0
  private let channelCount: Int
  /// The frames of each channel, in sequence; not used without runs.
  private let samples: UnsafeMutablePointer<Float>

  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe samples = .allocate(capacity: channelCount * Self.limit * AudioFormat.quantum)
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// Starts a silent run; `pointers` receive the memory of each channel.
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

  /// Discards the quanta that were not output.
  @_noAllocation @_noLocks
  mutating func drop() { left = 0 }
}
