// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import SessionBus
import Testing

@testable import PlayerControl

/// The properties of a player for the desktop, and the commands of its methods.
@Suite struct MediaPlayerTests {
  private var player: MediaPlayer {
    var status = PlayStatus()
    (status.index, status.count, status.path) = (1, 3, "/tmp/Grüße 100%.mid")
    (status.seconds, status.duration) = (30, 180)
    (status.volume, status.speed, status.title) = (-6, 1.5, "A song")
    return MediaPlayer(status: status)
  }

  @Test func `an address contains every byte of a name`() {
    #expect(MediaPlayer.address(of: "/tmp/Grüße") == "file:///tmp/Gr%C3%BC%C3%9Fe")
    #expect(MediaPlayer.address(of: "/caf\u{10FEE9}\n") == "file:///caf%E9%0A")
  }

  private func outcome(_ member: String, _ arguments: BusValue...) throws -> MediaPlayer.Outcome {
    try player.outcome(
      of: BusCall(
        path: MediaPlayer.path, interface: MediaPlayer.playerInterface, member: member,
        arguments: arguments))
  }

  private func property(_ member: String, _ arguments: BusValue...) throws -> MediaPlayer.Outcome {
    try player.outcome(
      of: BusCall(
        path: MediaPlayer.path, interface: MediaPlayer.propertiesInterface, member: member,
        arguments: [.text(MediaPlayer.playerInterface)] + arguments))
  }

  @Test(arguments: [
    ("Play", PlayCommand.setPaused(false)), ("Pause", .setPaused(true)),
    ("PlayPause", .togglePause),
    ("Stop", .stop), ("Next", .skipFiles(1)), ("Previous", .skipFiles(-1)),
  ])
  func `a method without arguments is a command`(member: String, command: PlayCommand) throws {
    #expect(try outcome(member) == .perform(command))
  }

  @Test(arguments: [
    (Int64(10_000_000), "40s"), (-10_000_000, "20s"), (-99_000_000, "0"), (.min, "0"),
    (1, "30.000001s"), (150_000_000, "180s"),
  ])
  func `a seek is relative to the position`(offset: Int64, place: String) throws {
    let wanted = SeekTime(microseconds: min(max(30_000_000 &+ max(offset, -99_000_000), 0), .max))
    #expect(try outcome("Seek", .int64(offset)) == .perform(.locate(wanted)), "\(place)")
  }

  @Test func `a seek beyond the end is the next song`() throws {
    #expect(try outcome("Seek", .int64(150_000_001)) == .perform(.skipFiles(1)))
    #expect(try outcome("Seek", .int64(.max)) == .perform(.skipFiles(1)))
  }

  @Test func `a position is set in the current song, within its length`() throws {
    let track = BusValue.path("/org/downbeat/track/1")
    let place = try outcome("SetPosition", track, .int64(90_000_000))
    #expect(place == .perform(.locate(SeekTime(microseconds: 90_000_000))))
    for (track, place) in [(track, -1), (track, 180_000_001), (.path("/x"), 1)] {
      #expect(try outcome("SetPosition", track, .int64(Int64(place))) == .nothing)
    }
    #expect(throws: MediaPlayer.Refusal.self) { try outcome("SetPosition", .int64(1)) }
  }

  @Test(arguments: [
    ("Volume", BusValue.double(1), PlayCommand.setVolume(0)),
    ("Volume", .double(0), .setVolume(-60)), ("Volume", .double(-3), .setVolume(-60)),
    ("Volume", .double(.infinity), .setVolume(12)), ("Rate", .double(0), .setPaused(true)),
    ("Rate", .double(2), .setSpeed(2)), ("Rate", .double(1e300), .setSpeed(8)),
    ("LoopStatus", .text("Playlist"), .setRepetition(.list)),
    ("LoopStatus", .text("None"), .setRepetition(.off)),
  ])
  func `a property is set by a command`(
    name: String, value: BusValue, command: PlayCommand
  ) throws {
    #expect(try property("Set", .text(name), .variant(value)) == .perform(command))
  }

  @Test(arguments: [
    ("Volume", BusValue.text("1")), ("Rate", .double(.nan)), ("Rate", .double(-1)),
    ("LoopStatus", .text("Twice")), ("Shuffle", .bool(true)), ("Position", .int64(1)),
    ("Nothing", .int32(1)), ("Volume", .other),
  ])
  func `a property that cannot be set is refused`(name: String, value: BusValue) {
    let refusal = #expect(throws: MediaPlayer.Refusal.self) {
      try property("Set", .text(name), .variant(value))
    }
    #expect(refusal?.sentence.isEmpty == false)
  }

  @Test func `its properties are the player's`() throws {
    #expect(try property("Get", .text("Position")) == .values([.variant(.int64(30_000_000))]))
    #expect(try property("Get", .text("Volume")) == .values([.variant(.double(0.501))]))
    #expect(try property("Get", .text("Rate")) == .values([.variant(.double(1.5))]))
    guard case .values(let values) = try property("GetAll"),
      case .members(let members)? = values.first,
      case .members(let metadata)? = members.first(where: { $0.name == "Metadata" })?.value
    else { throw MediaPlayer.Refusal.badArguments }
    #expect(
      metadata == [
        .init("mpris:trackid", .path("/org/downbeat/track/1")),
        .init("mpris:length", .int64(180_000_000)), .init("xesam:title", .text("A song")),
        .init("xesam:url", .text("file:///tmp/Gr%C3%BC%C3%9Fe%20100%25.mid")),
      ])
    for member in members {
      #expect(
        MediaPlayerDescription.text.contains(
          "\"\(member.name)\" type=\"\(member.value.signature)\""))
    }
  }

  @Test func `an unknown method or property is an error`() {
    for (path, interface, member) in [
      ("/x", MediaPlayer.playerInterface, "Play"), (MediaPlayer.path, "", "Play"),
      (MediaPlayer.path, MediaPlayer.playerInterface, "Fly"),
      (MediaPlayer.path, MediaPlayer.rootInterface, "Play"),
      (MediaPlayer.path, MediaPlayer.propertiesInterface, "Get"),
      (MediaPlayer.path, MediaPlayer.playerInterface, "OpenUri"),
    ] {
      #expect(throws: MediaPlayer.Refusal.self) {
        try player.outcome(
          of: BusCall(path: path, interface: interface, member: member, arguments: []))
      }
    }
  }
}
