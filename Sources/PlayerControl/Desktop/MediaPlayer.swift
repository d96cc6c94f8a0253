// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import JSONText
internal import MusicalTime
package import SessionBus

/// A player as it appears to desktops, as a value: its properties, and the requests of calls.
///
/// Source: MPRIS D-Bus Interface Specification 2.2.
package struct MediaPlayer {
  package static let path = "/org/mpris/MediaPlayer2"
  package static let rootInterface = "org.mpris.MediaPlayer2"
  package static let playerInterface = "org.mpris.MediaPlayer2.Player"
  package static let propertiesInterface = "org.freedesktop.DBus.Properties"

  /// The error with which a call is refused.
  package struct Refusal: Error {
    package let name: String
    package let sentence: String

    package static func unknown(_ kind: String, _ name: String) -> Refusal {
      Refusal(
        name: "org.freedesktop.DBus.Error.Unknown\(kind)",
        sentence: "unknown \(kind.lowercased()) \(name)")
    }

    static let readOnly = Refusal(
      name: "org.freedesktop.DBus.Error.PropertyReadOnly", sentence: "the property is read-only")
    package static let badArguments = Refusal(
      name: "org.freedesktop.DBus.Error.InvalidArgs", sentence: "wrong arguments")
    static let noFiles = Refusal(
      name: "org.freedesktop.DBus.Error.NotSupported",
      sentence: "files can only be opened at start (downbeat play FILE)")
  }

  /// The result of a call.
  package enum Outcome: Equatable {
    case values([BusValue])
    case perform(PlayCommand)
    case nothing
  }

  package let status: PlayStatus
  /// The name that is shown to users.
  private let identity: String

  package init(status: PlayStatus, identity: String = "Downbeat") {
    (self.status, self.identity) = (status, identity)
  }

  private var track: String { "/org/downbeat/track/\(status.index)" }

  /// The result of a call.
  ///
  /// - Throws: `Refusal` for an unknown object, interface or member, or wrong arguments.
  package func outcome(of call: BusCall) throws(Refusal) -> Outcome {
    guard call.path == Self.path else { throw .unknown("Object", call.path) }
    switch call.interface {
    case Self.propertiesInterface: return try propertyOutcome(of: call)
    case Self.playerInterface: return try playerOutcome(of: call)
    case Self.rootInterface: return try rootOutcome(of: call)
    case "org.freedesktop.DBus.Introspectable" where call.member == "Introspect":
      return .values([.text(MediaPlayerDescription.text)])
    default: throw .unknown("Interface", call.interface)
    }
  }

  private func rootOutcome(of call: BusCall) throws(Refusal) -> Outcome {
    switch call.member {
    case "Quit": .perform(.quit)
    case "Raise": .nothing
    default: throw .unknown("Method", call.member)
    }
  }

  private func playerOutcome(of call: BusCall) throws(Refusal) -> Outcome {
    switch call.member {
    case "Next": return .perform(.skipFiles(1))
    case "Previous": return .perform(.skipFiles(-1))
    case "Pause": return .perform(.setPaused(true))
    case "PlayPause": return .perform(.togglePause)
    case "Stop": return .perform(.stop)
    case "Play": return .perform(.setPaused(false))
    case "OpenUri": throw .noFiles
    case "Seek":
      guard case .int64(let offset)? = call.arguments.first else { throw .badArguments }
      return seek(by: offset)
    case "SetPosition":
      guard call.arguments.count == 2, case .path(let track) = call.arguments[0],
        case .int64(let place) = call.arguments[1]
      else { throw .badArguments }
      // A request for a track that is not current any more is ignored.
      guard track == self.track, place >= 0, place <= length ?? .max else { return .nothing }
      return locate(place)
    default: throw .unknown("Method", call.member)
    }
  }

  /// A seek past the end moves to the next song.
  private func seek(by offset: Int64) -> Outcome {
    let (target, overflows) = position.addingReportingOverflow(offset)
    let isBeyond = length.map { overflows ? offset > 0 : target > $0 } ?? false
    if isBeyond { return .perform(.skipFiles(1)) }
    return locate(overflows ? 0 : max(0, target))
  }

  private func locate(_ microseconds: Int64) -> Outcome {
    .perform(.locate(SeekTime(microseconds: microseconds)))
  }

  private func propertyOutcome(of call: BusCall) throws(Refusal) -> Outcome {
    guard case .text(let interface)? = call.arguments.first else { throw .badArguments }
    let properties = try properties(of: interface)
    if call.member == "GetAll" { return .values([.members(properties)]) }
    guard call.arguments.count > 1, case .text(let name) = call.arguments[1] else {
      throw .badArguments
    }
    guard let property = properties.first(where: { $0.name == name }) else {
      throw .unknown("Property", name)
    }
    switch (call.member, call.arguments.count) {
    case ("Get", _): return .values([.variant(property.value)])
    case ("Set", 3): return try setting(name, to: call.arguments[2])
    default: throw .unknown("Method", call.member)
    }
  }

  private func properties(of interface: String) throws(Refusal) -> [BusValue.Member] {
    switch interface {
    case Self.rootInterface: return root
    case Self.playerInterface: return player + [.init("Position", .int64(position))]
    default: throw .unknown("Interface", interface)
    }
  }

  private func setting(_ name: String, to value: BusValue) throws(Refusal) -> Outcome {
    switch (name, value) {
    case ("Volume", .variant(.double(let factor))):
      return .perform(.setVolume(Self.decibels(factor)))
    case ("Rate", .variant(.double(let rate))): return try setting(rate: rate)
    case ("LoopStatus", .variant(.text(let word))):
      guard let repetition = Self.repetitions.first(where: { $0.word == word })?.repetition else {
        throw .badArguments
      }
      return .perform(.setRepetition(repetition))
    case ("Volume", _), ("Rate", _), ("LoopStatus", _): throw .badArguments
    default: throw .readOnly
    }
  }

  /// Sets the rate: 0 pauses, as specified; a rate out of range is limited.
  private func setting(rate: Double) throws(Refusal) -> Outcome {
    guard rate.isFinite, rate >= 0 else { throw .badArguments }
    if rate == 0 { return .perform(.setPaused(true)) }
    let range = PlayControls.slowest.approximation...PlayControls.fastest.approximation
    let wanted = min(max(rate, range.lowerBound), range.upperBound)
    return .perform(.setSpeed(Ratio(Int64((wanted * 1000).rounded()), over: 1000)))
  }

  private static func decibels(_ factor: Double) -> Double {
    let range = PlayControls.softest...PlayControls.loudest
    guard factor > 0 else { return range.lowerBound }
    let decibels = Gain(factor: Float(min(factor, 100))).decibels
    return min(max(decibels, range.lowerBound), range.upperBound)
  }

  private static let repetitions: [(word: String, repetition: SongQueue.Repetition)] = [
    ("None", .off), ("Playlist", .list), ("Track", .one),
  ]
}

extension MediaPlayer {
  private var root: [BusValue.Member] {
    [
      .init("CanQuit", .bool(true)), .init("CanRaise", .bool(false)),
      .init("HasTrackList", .bool(false)), .init("Identity", .text(identity)),
      .init("SupportedUriSchemes", .texts([])), .init("SupportedMimeTypes", .texts([])),
    ]
  }

  /// The position in microseconds from the start of the song.
  package var position: Int64 { Self.microseconds(status.seconds ?? 0) }

  private var length: Int64? { status.duration.map(Self.microseconds) }

  private static func microseconds(_ seconds: Double) -> Int64 {
    Int64(nearest: seconds * 1e6)
  }

  /// The properties whose changes are reported: all except the position.
  package var player: [BusValue.Member] {
    let hasTransport = status.hasTransport
    return [
      .init("PlaybackStatus", .text(playbackStatus)),
      .init("LoopStatus", .text(loopStatus)), .init("Rate", .double(status.speed ?? 1)),
      .init("Shuffle", .bool(status.isShuffled ?? false)), .init("Metadata", .members(metadata)),
      .init("Volume", .double(volume)),
      .init("MinimumRate", .double(PlayControls.slowest.approximation)),
      .init("MaximumRate", .double(PlayControls.fastest.approximation)),
      .init("CanGoNext", .bool(status.index + 1 < status.count || status.repetition == .list)),
      .init("CanGoPrevious", .bool(status.index > 0 || status.repetition == .list)),
      .init("CanPlay", .bool(hasTransport)), .init("CanPause", .bool(hasTransport)),
      .init("CanSeek", .bool(hasTransport)), .init("CanControl", .bool(true)),
    ]
  }

  private var playbackStatus: String {
    switch status.state {
    case .playing: "Playing"
    case .paused, .waiting: "Paused"
    case .stopped: "Stopped"
    }
  }

  private var loopStatus: String {
    Self.repetitions.first { $0.repetition == status.repetition }?.word ?? "None"
  }

  private var volume: Double {
    guard let decibels = status.volume, decibels > PlayControls.softest else {
      return status.volume == nil ? 1 : 0
    }
    return (Double(Gain(decibels: decibels).factor) * 1000).rounded() / 1000
  }

  private var metadata: [BusValue.Member] {
    var members: [BusValue.Member] = [.init("mpris:trackid", .path(track))]
    if let length { members.append(.init("mpris:length", .int64(length))) }
    return members + [
      .init("xesam:title", .text(Printable.text(status.title))),
      .init("xesam:url", .text(Self.address(of: status.path))),
    ]
  }

  /// The URL of a file, with its bytes unchanged; empty for standard input.
  ///
  /// Source: RFC 8089; RFC 3986 section 2.3 for the unreserved characters.
  package static func address(of path: String) -> String {
    guard path != "-", !path.isEmpty else { return "" }
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    var address = "file://"
    for byte in FileName.bytes(of: SongEntry.absolute(path)) {
      if plain.contains(byte) {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        address += "%\(digits.count < 2 ? "0" : "")\(digits)"
      }
    }
    return address
  }
}
