// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import Downbeat
internal import JACKAudio
internal import LinkSessions
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// A master as a flag names it: `midi:PORT` or just `PORT`, `mtc:PORT`, `ltc:DEVICE`, `clock:NAME`,
/// `link`, `jack`.
///
/// A port is named as everywhere, also with its kind: `midi:alsa:fluid`, or `alsa:fluid`. No kind of
/// master but JACK's transport is a kind of port, and `jack:NAME` is a port, so the first word
/// decides; a port whose name begins with such a word is `midi:` and its name.
struct SyncSource: ExpressibleByArgument {
  enum Kind: String {
    case midi, mtc, ltc, clock, link, jack

    /// Whether the word alone names a master: a session or a transport there is one of, or the
    /// usual device.
    var standsAlone: Bool { self == .link || self == .ltc || self == .jack }
    /// Whether it gives labels, and so needs no beats.
    var isTimecode: Bool { self == .mtc || self == .ltc }
  }

  let kind: Kind
  /// The ports, the one name or device, or the length of a bar; none where others are to connect to us.
  let targets: [String]
  /// Whether a MIDI clock goes on with its first clock after a gap.
  var resumesAfterGap = false
  /// What a song is in a session of Link.
  var role = LinkRole.follow
  /// The network interfaces on which others of a session of Link are looked for; none for all that
  /// have a private address.
  var interfaces: [String] = []

  init(_ kind: Kind, _ targets: [String]) {
    self.kind = kind
    self.targets = targets
  }

  /// What it is called on a command line.
  var name: String { ([kind.rawValue] + targets).joined(separator: ":") }

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    if let kind = Kind(rawValue: argument), kind.standsAlone {
      self.init(kind, [])
    } else if parts.count == 2, let kind = Kind(rawValue: parts[0]), kind != .jack {
      // Bars of link: are refused where they are asked for, with what would be right.
      guard kind == .link || !parts[1].isEmpty else { return nil }
      self.init(kind, [parts[1]])
    } else {
      self.init(.midi, [argument])
    }
  }

  /// The clock that is served under the name.
  ///
  /// - Throws: where nobody serves it.
  func reader() throws -> SharedClockReader {
    let reader = try SharedClockReader(name: targets.joined())
    guard case .running = reader.publisher else {
      throw Failure(.noDevice, "clock '\(targets.joined())': whoever served it is gone")
    }
    return reader
  }

  /// The master, and what brings its messages and connects its port again.
  ///
  /// - Parameters:
  ///   - context: what is played.
  ///   - waits: whether ports that are not there are waited for.
  ///   - signals: what ends that wait.
  ///   - transport: JACK's, where the program takes part in it already.
  /// - Returns: the master, and its ports where it has some.
  /// - Throws: where the port or the clock is not there.
  func open(
    context: TimeContext, waits: Bool, signals: SignalWait, transport: JACKTransport? = nil
  ) throws -> (ExternalClock, InputPorts?) {
    if case .smpte = context.tempoMap.division, !kind.isTimecode {
      throw Failure(
        .usage, "--sync: a song counted in frames can follow mtc:PORT and ltc:DEVICE only")
    }
    var input: InputPorts?
    let source: ExternalClock.Source
    switch kind {
    case .midi:
      var settings = MIDIClockFollower.Settings()
      settings.resumesAfterGap = resumesAfterGap
      source = .midiClock(MIDIClockFollower(settings: settings))
      input = try openInput(waits, signals)
    case .mtc:
      source = .timecode(MTCFollower(), rate: context.frameRate)
      input = try openInput(waits, signals)
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

  /// The transport of the server that runs; nil where that is not followed.
  ///
  /// - Parameters:
  ///   - output: the output of a server on which is played; nil for none.
  ///   - bars: the bars to lead; nil to follow those of others.
  /// - Returns: the transport.
  /// - Throws: `JACKError` where no server runs.
  func transport(
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

  /// The length of a bar in millionths of a beat: 4 beats where none is named.
  ///
  /// - Throws: where it is no number of beats.
  func linkQuantum() throws -> Int64 {
    guard let text = targets.first else { return 4_000_000 }
    guard let beats = Double(text), (0.25...1_024).contains(beats) else {
      throw Failure(
        .usage, "--sync link:\(text): a bar has 0.25…1024 beats (such as link:4, or link alone)")
    }
    return Int64((beats * 1e6).rounded())
  }

  private func openInput(_ waits: Bool, _ signals: SignalWait) throws -> InputPorts {
    var options = PortOptions()
    options.port = targets
    options.wait = waits
    return try options.openInput(named: "downbeat sync", signals: signals)
  }
}
