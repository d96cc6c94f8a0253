// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import CommandKit
package import CommandOptions
internal import Downbeat
package import JACKAudio
internal import LinkSessions
package import MIDIPorts
package import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

extension SyncSource {
  /// The clock that is served under the name.
  ///
  /// - Throws: `Failure` if no process serves it.
  func reader() throws -> SharedClockReader {
    let reader = try SharedClockReader.named(targets.joined())
    guard case .running = reader.publisher else {
      throw Failure(.noDevice, "clock '\(targets.joined())': the process that ran it has ended")
    }
    return reader
  }

  /// The master, and what brings its messages and connects its port again.
  ///
  /// - Parameters:
  ///   - context: what is played.
  ///   - waits: whether ports that are not there are waited for.
  ///   - loop: the run loop; a signal ends the process.
  ///   - transport: JACK's, if the program already has it.
  ///   - session: the network session that receives MIDI clock instead of a port; nil for none.
  /// - Returns: the master, and its ports if it has any.
  /// - Throws: if the port or the clock does not exist.
  package func open(
    context: TimeContext, waits: Bool, loop: RunLoop, transport: JACKTransport? = nil,
    session: SessionOptions? = nil
  ) throws -> (ExternalClock, InputPorts?) {
    if case .smpte = context.tempoMap.division, !kind.isTimecode {
      throw Failure(
        .usage, "--sync: this song is timed in SMPTE frames (follow mtc:PORT or ltc:DEVICE)")
    }
    var input: InputPorts?
    let source: ExternalClock.Source
    switch kind {
    case .midi:
      var settings = MIDIClockFollower.Settings()
      settings.resumesAfterGap = resumesAfterGap
      source = .midiClock(MIDIClockFollower(settings: settings))
      input = try openInput(waits, loop, session)
    case .mtc:
      source = .timecode(MTCFollower(), rate: context.frameRate)
      input = try openInput(waits, loop)
    case .ltc:
      // Labels count at most 30 frames a second.
      let counting = context.frameRate.flatMap { $0.mtcFrameDivisor == 1 ? $0 : nil }
      let heard = try LTCPresence.open(
        targets.first ?? InputDevice.standard, counting: counting)
      source = .linearTimecode(heard.follower, rate: context.frameRate)
    case .clock:
      source = .shared(
        try SharedClockFollower(try reader(), division: context.tempoMap.division))
    case .link:
      source = .link(try linkFollower(context))
    case .jack:
      let transport = try transport ?? JACKTransport(of: SharedJACKClient.client())
      source = .jack(transport.follower())
    }
    let master = ExternalClock(
      following: source, tempoMap: context.tempoMap, offset: context.smpteOffset)
    return (master, input)
  }

  /// The transport of the server that runs; nil if it is not followed.
  ///
  /// - Parameters:
  ///   - output: the output of a server on which is played; nil for none.
  ///   - bars: the bars to give to others; nil to follow theirs.
  /// - Returns: the transport.
  /// - Throws: `JACKError` if no server runs.
  package func transport(
    with output: JACKOutputUnit?, leading bars: JACKTransport.Bars?
  ) throws(JACKError) -> JACKTransport? {
    guard kind == .jack else { return nil }
    if let output { return try JACKTransport(of: output.client, with: output, leading: bars) }
    return try JACKTransport(of: SharedJACKClient.client(), leading: bars)
  }

  /// A peer in the session that others are in, or in one of our own at the song's tempo.
  private func linkFollower(_ context: TimeContext) throws -> LinkFollower {
    let quantum = try linkQuantum()
    let session = try LinkPresence.open(
      at: context.tempoMap.tempo(at: .zero), on: interfaces)
    return session.follower(
      quantum: quantum, division: context.tempoMap.division, waits: role == .wait,
      leads: role == .lead)
  }

  private func openInput(
    _ waits: Bool, _ loop: RunLoop, _ session: SessionOptions? = nil
  ) throws -> InputPorts {
    var options = PortOptions()
    options.port = targets
    options.wait = waits
    return try explained {
      try options.openInput(named: "downbeat sync", as: session, loop: loop)
    }
  }

  /// Opens a port; if a bare word names it, an error begins with how the word was read.
  ///
  /// - Parameter open: Opens the port.
  /// - Returns: Its result.
  /// - Throws: Its error.
  func explained<Result>(_ open: () throws -> Result) throws -> Result {
    do {
      return try open()
    } catch let failure as any FailureDescribing where isBarePort {
      let word = targets.joined()
      let reading =
        if Kind(rawValue: word) != nil {
          "is read as a MIDI port (to name one: \(word):NAME)"
        } else if word.contains(":") {
          "is read as a MIDI port"
        } else {
          "is not a running clock, so it is read as a MIDI port (for a clock: clock:\(word))"
        }
      throw Failure(
        failure.exitStatus, "\(word): \(reading): \(failure)", options: failure.options,
        concernsMachine: failure.concernsMachine)
    }
  }
}
