// SPDX-License-Identifier: Apache-2.0

/// Plays each source on its nearest loudspeakers.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SpeakerRenderer: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  private let ring: SpeakerRing
  private let table: FractionTable
  /// The gains of each source.
  private let gains: Samples
  /// The gains at the new place of a source.
  private let aims: Samples
  private let sound: Samples

  /// Creates a renderer, which the owner deallocates.
  init(_ layout: SpeakerLayout, sourceCount: Int, _ table: FractionTable) {
    ring = SpeakerRing(layout)
    self.table = table
    unsafe gains = RightAngleTransform.allocate(sourceCount * ring.channelCount)
    unsafe aims = RightAngleTransform.allocate(ring.channelCount)
    unsafe sound = SampleLoop.allocate(channelCount: 1)
  }

  func deallocate() {
    ring.deallocate()
    unsafe gains.deallocate()
    unsafe aims.deallocate()
    unsafe sound.deallocate()
  }

  /// Moves a silent source to a place immediately.
  @_noAllocation @_noLocks
  func settle(_ index: Int, at place: SourcePlace) {
    unsafe ring.place(
      place.direction, gain: place.gain, into: gains + index &* ring.channelCount)
  }

  /// Adds a quantum of a source, which may have moved.
  @_noAllocation @_noLocks
  func add(
    _ index: Int, _ line: SourceLine, _ places: UnsafePointer<Double>?, to place: SourcePlace?,
    _ output: Bus
  ) {
    let later = Float(FractionTable.reach)
    unsafe line.read(into: sound, places, laterFrom: later, to: later, table)
    let own = unsafe gains + index &* ring.channelCount
    if let place { unsafe ring.place(place.direction, gain: place.gain, into: aims) }
    for channel in 0..<ring.channelCount {
      let old = unsafe own[channel]
      let new = unsafe place == nil ? old : aims[channel]
      guard old != 0 || new != 0 else { continue }
      unsafe own[channel] = new
      unsafe add(from: old, to: new, output.channel(channel))
    }
  }

  @_noAllocation @_noLocks
  private func add(from old: Float, to new: Float, _ target: Samples) {
    if old == new {
      unsafe _ = SampleLoop.add(sound, times: old, to: target)
    } else {
      let step = (new - old) / Float(AudioFormat.quantum)
      for frame in 0..<AudioFormat.quantum {
        unsafe target[frame] += sound[frame] * (old + step * Float(frame &+ 1))
      }
    }
  }
}
