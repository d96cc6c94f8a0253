// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import MusicalTime
internal import SequencePlayback

/// The instruments, the graph and the output of a playback; empty by default, for playback on ports
/// only.
struct PlaybackSound {
  /// The synthesisers, each with the part that it plays.
  var parts: [TrackPart] = []
  /// The clips that notes start.
  var kit: ClipKit?
  /// The custom instruments.
  var own: [any PlayableUnit] = []
  /// The units whose parameters are changed by tracks.
  var moved: [any ParametricUnit] = []
  var plan: RenderPlan?
  /// Rate of the output; nil without one.
  var rate: SampleRate?
  var output: (any OutputUnit)?

  /// The custom instrument that plays everything that no other destination plays; nil if a
  /// synthesiser does.
  var main: (any PlayableUnit)? { parts.isEmpty ? own.first : nil }

  /// The custom instruments that play only the tracks that name them.
  var named: ArraySlice<any PlayableUnit> { own.dropFirst(main == nil ? 0 : 1) }

  /// The latency of the graph.
  var graphDelay: Duration { .nanoseconds(nanoseconds(plan?.latency ?? 0)) }

  /// The length of a period of the output; 0 without one.
  var period: Duration { .nanoseconds(nanoseconds(output?.periodFrames ?? 0)) }

  /// Creates the clock of the output; without an output, the host clock.
  func makeReferenceClock() -> ReferenceClock {
    guard let output else { return ReferenceClock() }
    return ReferenceClock(
      rate: output.format.rate, latency: output.latency, graphLatency: plan?.latency ?? 0)
  }

  /// The end of the quantum that a time is in; without an output, the time.
  ///
  /// A song begins at the start of a quantum, as in offline rendering, so that work done once per
  /// block happens at the same frames of the song.
  func wholeQuanta(_ time: Duration) -> Duration {
    guard let rate else { return time }
    let frames = Int(
      rate.frame(at: ReferenceTime(nanoseconds: time.nanosecondsRoundedUp)).frames)
    return .nanoseconds(nanoseconds((frames / AudioFormat.quantum + 1) * AudioFormat.quantum))
  }

  private func nanoseconds(_ frames: Int) -> Int64 {
    rate?.timeRoundedUp(of: SampleTime(frames: Int64(frames))).nanoseconds ?? 0
  }
}
