// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import MusicalTime

extension TimeSetting {
  /// Creates the context of the settings.
  ///
  /// - Parameter markers: True to read the song's markers.
  /// - Returns: The context, and the exit status after reading the song.
  /// - Throws: `Failure` for an invalid value, or a song or clock that cannot be read.
  package func context(markers: Bool = false) throws -> (context: TimeContext, status: ExitStatus) {
    let source = try song.map { try ConvertSong(path: $0) }
    let served = try clock.map { try ConvertClock(name: $0) }
    var context =
      try source?.context(markers: markers) ?? served?.context()
      ?? TimeContext.standard(ppq: resolution)
    try apply(to: &context)
    let take = try take.map { try ConvertTake(path: $0, fps: frameRate) }
    take?.apply(to: &context)
    context.subbeatDivisor = divisor ?? context.ticksPerQuarter
    context.subframeBase = subframes ?? 1
    context.dayPolicy = dayPolicy
    context.anchor = try anchor.map { try sampleAnchor($0, context) } ?? context.anchor
    return (context, source?.status ?? take?.status ?? .success)
  }

  private func sampleAnchor(
    _ moment: (host: HostTime, sample: SampleTime), _ context: TimeContext
  ) throws -> HostAnchor {
    guard let rate = context.sampleRate ?? .standard else {
      preconditionFailure("internal error: the sample rate 48000 Hz was rejected")
    }
    return try HostAnchor(SampleAnchor(host: moment.host, sample: moment.sample, rate: rate))
  }
}
