// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

/// Changes of controllers and parameters; messages are written "controller=value", on channel 1.
@Suite struct ControlMapTests {
  private typealias Change = ControlChange

  private func run(_ changes: [ControlChange], _ text: String) throws -> String {
    var map = ControlMap(changes)
    var out: [String] = []
    for word in text.split(separator: " ") {
      let parts = try word.split(separator: "=").map { try #require(UInt8($0)) }
      let message = Message.control(Channel(index: 0), Controller(parts[0]), value: parts[1])
      map.apply(message) { out.append("\($0.data1)=\($0.data2)") }
    }
    return out.joined(separator: " ")
  }

  @Test func `without rules everything passes, and other messages always pass`() throws {
    #expect(try run([], "1=5 33=6 101=0 100=0 6=2") == "1=5 33=6 101=0 100=0 6=2")
    var map = ControlMap([Change(.controller(1), .alter(.drop))])
    var passed: [Message] = []
    let note = Message.noteOn(Channel(index: 0), Key(60), velocity: 1)
    map.apply(note) { passed.append($0) }
    #expect(passed == [note])
  }

  @Test func `a controller is dropped, renumbered and altered, in the order of the changes`() throws
  {
    let changes = [
      Change(.controller(1), .renumber(11)), Change(.controller(11), .alter(.add(10))),
      Change(.controller(64), .alter(.drop)),
    ]
    #expect(try run(changes, "1=5 11=120 64=127 7=1 33=9") == "11=15 11=127 7=1 33=9")
  }

  @Test func `the two bytes of a fine controller are one value`() throws {
    let half = [Change(.controller(7), isFine: true, .alter(.scale(by4096ths: 2048)))]
    // 101·128 + 3 = 12931 becomes 6466: 50·128 + 66.
    #expect(try run(half, "7=101 39=3 39=4 8=5") == "7=50 39=64 39=66 39=66 8=5")
    let more = [Change(.controller(7), isFine: true, .alter(.add(1)))]
    #expect(try run(more, "7=1 39=126 39=127") == "7=1 39=1 39=127 7=2 39=0")
    let moved = [Change(.controller(1), isFine: true, .renumber(2))]
    #expect(try run(moved, "1=5 33=6") == "2=5 34=6")
    #expect(try run(moved, "33=6") == "34=6")
  }

  @Test func `a rule that is not fine alters only the upper byte of a parameter`() throws {
    let changes = [Change(.registered(0), .alter(.atMost(12)))]
    #expect(try run(changes, "101=0 100=0 6=24 38=5") == "101=0 100=0 6=12 38=5")
  }

  @Test func `a parameter takes another number, and its selection goes with its data`() throws {
    let changes = [
      Change(.nonRegistered(300), .renumber(301)),
      Change(.nonRegistered(301), isFine: true, .alter(.add(-1))),
    ]
    #expect(
      try run(changes, "99=2 98=44 6=1 38=0 99=2 98=50 6=3")
        == "99=2 98=45 6=0 38=127 38=127 99=2 98=50 6=3")
  }

  @Test func `a parameter that is dropped takes its steps with it, and no other's`() throws {
    let changes = [Change(.registered(0), .alter(.drop))]
    #expect(
      try run(changes, "101=0 100=0 6=2 96=0 100=1 6=64 97=0 101=127 100=127 6=9")
        == "101=0 100=1 6=64 97=0 101=127 100=127 6=9")
  }

  @Test func `registered and non-registered parameters are distinct, as are channels`() throws {
    let changes = [Change(.nonRegistered(0), .alter(.drop))]
    #expect(try run(changes, "101=0 100=0 6=2 99=0 98=0 6=3") == "101=0 100=0 6=2")
    var map = ControlMap(changes)
    var out: [Message] = []
    let select = [99, 98].map { Message.control(Channel(index: 0), Controller($0), value: 0) }
    for message in select { map.apply(message) { out.append($0) } }
    let data = Message.control(Channel(index: 1), Controller(6), value: 3)
    map.apply(data) { out.append($0) }
    #expect(out == [data])
  }

  @Test func `a lower byte for another parameter does not make a value`() throws {
    let changes = [Change(.registered(1), isFine: true, .alter(.add(100)))]
    #expect(
      try run(changes, "101=0 100=0 6=2 100=1 38=5") == "101=0 100=0 6=2 101=0 100=1 38=5")
  }
}
