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
  /// Opens the served clock with the source's name.
  ///
  /// - Throws: `Failure` if no process serves it.
  func reader() throws -> SharedClockReader {
    let reader = try SharedClockReader.named(targets.joined())
    guard case .running = reader.publisher else {
      throw Failure(.noDevice, "clock '\(targets.joined())': the process that ran it has ended")
    }
    return reader
  }

  /// Opens the master and its ports.
  ///
  /// - Parameters:
  ///   - context: The maps of the song or clock that follows.
  ///   - waits: True to wait for ports that do not exist yet.
  ///   - loop: The run loop; a signal ends the process.
  ///   - transport: The JACK transport, if the program already has it; nil by default.
  ///   - session: The network session that receives MIDI clock instead of a port; nil, the default,
  ///     for none.
  /// - Returns: The master, and its ports if it has any.
  /// - Throws: The error of a port or clock that does not exist.
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
      // Time code counts at most 30 frames per second.
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

  /// Opens the JACK transport; nil for another kind of source.
  ///
  /// - Parameters:
  ///   - output: The JACK output on which the song is played; nil for none.
  ///   - bars: The bars to send to JACK's clients; nil to use theirs.
  /// - Returns: The transport.
  /// - Throws: `JACKError` if no server runs.
  package func transport(
    with output: JACKOutputUnit?, leading bars: JACKTransport.Bars?
  ) throws(JACKError) -> JACKTransport? {
    guard kind == .jack else { return nil }
    if let output { return try JACKTransport(of: output.client, with: output, leading: bars) }
    return try JACKTransport(of: SharedJACKClient.client(), leading: bars)
  }

  /// Creates a follower of the Link session, or of a new session with the song's tempo.
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

  /// Opens a port; if it was named without a kind, an error begins with how the name was read.
  ///
  /// - Parameter open: Opens the port.
  /// - Returns: The result of `open`.
  /// - Throws: The error of `open`.
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
