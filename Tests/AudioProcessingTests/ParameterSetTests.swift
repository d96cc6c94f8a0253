// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import Testing

@Suite struct ParameterSetTests {
  private let mixer = MixerUnit(stripCount: 1, rate: Rate.studio)
  private var parameters: ParameterSet { mixer.parameters }

  private func listener() throws -> PlanListener {
    try PlanListener(SignalUnit(.constant(1)), through: mixer)
  }

  @Test func `a scheduled ramp begins at its frame and is a straight line, exact at every frame`()
    throws
  {
    let listener = try listener()
    #expect(parameters.schedule(0, to: 0.25, at: 100, over: 1000))
    let heard = listener.render(quanta: 20)[0]
    for frame in heard.indices {
      let passed = Float(min(1000, max(0, frame - 99))) / 1000
      #expect(heard[frame] == 1 - 0.75 * passed, "frame \(frame)")
    }
  }

  @Test func `a jump takes effect at its frame, and several fit into one quantum`() throws {
    let listener = try listener()
    for (value, frame) in [(0.5, 10), (0.25, 11), (0, 40), (1, 63), (0.75, 64)]
      as [(Float, SampleTime)]
    {
      #expect(parameters.schedule(0, to: value, at: frame, over: 0))
    }
    let heard = listener.render(quanta: 2)[0]
    let expected = (0..<128).map { frame -> Float in
      frame < 10 ? 1 : frame < 11 ? 0.5 : frame < 40 ? 0.25 : frame < 63 ? 0 : frame < 64 ? 1 : 0.75
    }
    #expect(heard == expected)
  }

  @Test func `a ramp that is replaced continues from its current value`() throws {
    let listener = try listener()
    #expect(parameters.schedule(0, to: 0, at: 0, over: 100))
    #expect(parameters.schedule(0, to: 1, at: 50, over: 50))
    let heard = listener.render(quanta: 3)[0]
    #expect(heard[49] == 0.5)
    #expect(heard[74] == 0.75)
    #expect(heard[99...].allSatisfy { $0 == 1 })
  }

  @Test func `a late event begins at the next quantum and is counted`() throws {
    let listener = try listener()
    listener.render(quanta: 10)
    #expect(parameters.schedule(0, to: 0, at: 100, over: 0))
    #expect(listener.render(quanta: 1)[0].allSatisfy { $0 == 0 })
    #expect(parameters.lateEventCount == 1)
  }

  @Test func `cancelled changes do not happen, and later changes do`() throws {
    let listener = try listener()
    #expect(parameters.schedule(0, to: 0.5, at: 100, over: 0))
    #expect(parameters.schedule(0, to: 0, at: 200, over: 0))
    parameters.cancel(from: Rate.studio.timeRoundedUp(of: SampleTime(frames: 150)))
    #expect(parameters.schedule(0, to: 0.25, at: 300, over: 0))
    let heard = listener.render(quanta: 6)[0]
    #expect(heard[100..<300].allSatisfy { $0 == 0.5 })
    #expect(heard[300...].allSatisfy { $0 == 0.25 })
  }

  @Test func `a track assigned to a mixer moves the sound`() throws {
    let mixer = MixerUnit(stripCount: 2, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(SignalUnit(.constant(1))), to: head, input: 1)
    try graph.setHead(head)
    let listener = PlanListener(try graph.compile())
    // Pan of the second strip: hard left at once, then to the right in ten glides.
    var points: [(frame: Int64, value: Float, glide: UInt32?)] = [(1000, -1, nil)]
    for step in 1...10 {
      points.append((Int64(9_000 + step * 1000), Float(step) / 5 - 1, 20_833_334))
    }
    var events: [TimedEvent] = []
    for point in points {
      let change = ParameterChange(
        parameter: 1, element: 1, value: point.value, glide: point.glide)
      let time = Rate.studio.timeRoundedUp(of: SampleTime(frames: point.frame))
      events.append(TimedEvent(time: time, payload: .parameter(change)))
    }
    events.append(TimedEvent(time: .zero, payload: .message(Message(status: 0xFE))))
    let none: [UInt8] = []
    #expect(mixer.parameters.send(events.span, payloads: none.span) == 12)
    let heard = listener.render(quanta: 400)
    #expect(heard[1][999] == 1)
    #expect(heard[1][1239...9999].allSatisfy { $0 == 0 })
    #expect(heard[0][1239...9999].allSatisfy { $0 == 1 })
    for frame in 10_000..<20_000 {
      let pan = -1 + 2 * Float(frame - 9_999) / 10_000
      #expect(abs(heard[1][frame] - min(1, 1 + pan)) < 1e-5)
      #expect(abs(heard[0][frame] - min(1, 1 - pan)) < 1e-5)
    }
  }

  @Test func `events for missing parameters are accepted and ignored`() throws {
    let listener = try listener()
    let changes = [
      ParameterChange(parameter: 10, value: 7), ParameterChange(parameter: 0, value: 5),
      ParameterChange(parameter: .max, element: .max, value: 1),
      ParameterChange(parameter: 0, element: 2, value: 0),
    ]
    let events = changes.map { TimedEvent(time: .zero, payload: .parameter($0)) }
    let none: [UInt8] = []
    #expect(parameters.send(events.span, payloads: none.span) == 4)
    #expect(listener.render(quanta: 5)[0][300] == 5)
  }

  @Test func `a full queue refuses events and loses none that it accepted`() throws {
    let listener = try listener()
    var taken = 0
    while parameters.schedule(
      0, to: Float(taken % 2), at: SampleTime(frames: Int64(taken)), over: 0)
    { taken += 1 }
    #expect(taken >= 1024)
    let heard = listener.render(quanta: taken / 64)[0]
    #expect(heard.enumerated().allSatisfy { $1 == Float($0 % 2) })
  }

  @Test func `a change on the control side takes the given time`() throws {
    let listener = try listener()
    listener.render(quanta: 1)
    try parameters.set(0, to: 0, over: 0.01)
    let heard = listener.render(quanta: 10)[0]
    #expect(heard[239] == 0.5)
    #expect(heard[478] > 0)
    #expect(heard[479...].allSatisfy { $0 == 0 })
  }

  @Test func `a value out of range, or a missing parameter, is refused in a sentence`() {
    let range = #expect(throws: GraphError.self) { try parameters.set(0, to: 17) }
    #expect(range?.description == "mixer: strip 1 gain is out of range (use 0.0…16.0)")
    #expect(throws: GraphError.self) { try parameters.set(1, to: .nan) }
    let missing = #expect(throws: GraphError.self) { try parameters.set(10, to: 0) }
    #expect(missing?.description == "mixer: parameter 10 does not exist (number of parameters: 10)")
    #expect(parameters[0] == 1)
  }

  @Test func `observers are called for settings, and for track changes on request`() throws {
    let listener = try listener()
    var heard: [String] = []
    let token = parameters.observe { heard.append("\($0) \($1)") }
    try parameters.set(1, to: -0.5)
    #expect(parameters.schedule(0, to: 2, at: 10, over: 0))
    parameters.tellObservers()
    #expect(heard == ["1 -0.5"])
    listener.render(quanta: 1)
    parameters.tellObservers()
    parameters.tellObservers()
    #expect(heard == ["1 -0.5", "0 2.0"])
    parameters.forget(token)
    try parameters.set(1, to: 0)
    #expect(heard.count == 2)
  }

  @Test func `a repeated value counts after an event`() throws {
    let listener = try listener()
    try parameters.set(0, to: 0.5, over: 0)
    listener.render(quanta: 1)
    #expect(parameters.schedule(0, to: 2, at: 64, over: 0))
    listener.render(quanta: 1)
    try parameters.set(0, to: 0.5, over: 0)
    #expect(listener.render(quanta: 1)[0].allSatisfy { $0 == 0.5 })
  }
}
