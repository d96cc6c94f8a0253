// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MIDIMessages
import MusicalTime
import Testing

/// Custom units, written as in a program.
@Suite(.serialized) struct KernelUnitTests {
  private struct Gain: SoundKernel {
    func render(_ block: SoundBlock) {
      let gain = block.curve(of: 0)
      for channel in 0..<block.outputChannelCount() {
        let input = block.input(channel)
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = input[frame] * gain[frame] }
      }
    }
  }

  /// A sawtooth that a key starts and stops.
  private struct Saw: SoundKernel {
    var phase: Float = 0
    var step: Float = 0

    mutating func take(_ message: Message) {
      switch message.status & 0xF0 {
      case 0x90 where message.data2 > 0: step = Float(message.data1) / 1000
      case 0x80, 0x90: (step, phase) = (0, 0)
      default: break
      }
    }

    mutating func render(_ block: SoundBlock) {
      var left = block.output(0)
      var right = block.output(1)
      for frame in 0..<block.frameCount {
        phase += step
        if phase > 1 { phase -= 2 }
        (left[frame], right[frame]) = (phase, -phase)
      }
    }
  }

  private func gain() -> KernelUnit {
    KernelUnit(
      Gain(), name: "gain", inputs: [2], outputs: [2],
      parameters: [Parameter("gain", .factor, 0...4, initially: 1)], rate: .hertz48000)
  }

  private func send(_ events: EventBuffer, to unit: KernelUnit) -> Int {
    unit.send(events.events.span, payloads: events.payloads.span)
  }

  @Test func `a gain of a few lines follows its parameter frame by frame`() throws {
    let gain = gain()
    let listener = try PlanListener(SignalUnit(.constant(0.5)), through: gain)
    #expect(listener.render(quanta: 1)[1].allSatisfy { $0 == 0.5 })
    #expect(gain.parameters.schedule(0, to: 2, at: 74, over: 0))
    let heard = listener.render(quanta: 2)[0]
    #expect(heard[..<10].allSatisfy { $0 == 0.5 } && heard[10...].allSatisfy { $0 == 1 })
    try gain.parameters.set(0, to: 0, over: 0)
    listener.render(quanta: 2)
    #expect(gain.isSilent)
  }

  @Test func `an instrument of a few lines receives its messages at their frames`() throws {
    let saw = KernelUnit(Saw(), name: "saw", rate: .hertz48000)
    let listener = try PlanListener(saw)
    var events = EventBuffer()
    let rate = SampleRate.hertz48000
    for (frame, message) in [
      (10, Message.noteOn(1, 100, velocity: 9)), (100, .noteOff(1, 100, velocity: 0)),
      (120, .noteOn(1, 50, velocity: 9)),
    ] {
      events.append(
        TimedEvent(
          time: rate.timeRoundedUp(of: SampleTime(frames: Int64(frame))),
          payload: .message(message)))
    }
    #expect(send(events, to: saw) == 3)
    saw.cancel(from: rate.timeRoundedUp(of: 110))
    let heard = listener.render(quanta: 3)
    #expect(heard[0][..<10].allSatisfy { $0 == 0 })
    #expect(abs(heard[0][10] - 0.1) < 1e-6 && abs(heard[0][14] - 0.5) < 1e-6)
    #expect(heard[0][99] != 0 && heard[0][100...].allSatisfy { $0 == 0 })
    #expect(heard[1] == heard[0].map { -$0 })
    #expect(saw.isSilent)
  }

  @Test func `tracks move its parameters`() throws {
    let gain = gain()
    let listener = try PlanListener(SignalUnit(.constant(1)), through: gain)
    var events = EventBuffer()
    let change = ParameterChange(parameter: 0, value: 3, glide: 0)
    events.append(
      TimedEvent(time: SampleRate.hertz48000.timeRoundedUp(of: 32), payload: .parameter(change)))
    #expect(send(events, to: gain) == 1)
    let heard = listener.render(quanta: 1)[0]
    #expect(heard[31] == 1 && heard[33] == 3)
    gain.cancel(from: .zero)
  }

  @Test func `rendering a custom unit allocates nothing`() throws {
    let gain = gain()
    let listener = try PlanListener(SignalUnit(.constant(0.5)), through: gain)
    listener.plan.render(at: 0)
    callocationcounter_begin()
    for block in 1..<1000 { listener.plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0)
  }

  @Test func `a unit inserted behind another feeds its former destinations`() throws {
    let (source, gain, other) = (SignalUnit(.constant(0.5)), gain(), self.gain())
    var graph = AudioGraph()
    let node = graph.add(source)
    try graph.setHead(node)
    let first = try graph.insert(gain, behind: node)
    let second = try graph.insert(other, behind: node)
    #expect(graph.head == first && graph.source(of: first)?.node == second)
    #expect(graph.source(of: second)?.node == node)
    #expect(graph.node(of: other) == second && graph.unit(at: second) === other)
    try gain.parameters.set(0, to: 4, over: 0)
    let listener = PlanListener(try graph.compile())
    #expect(listener.render(quanta: 1)[0].allSatisfy { $0 == 2 })
    let mono = KernelUnit(Gain(), name: "mono", inputs: [2], outputs: [1], rate: .hertz48000)
    #expect(throws: GraphError.self) { try graph.insert(mono, behind: node) }
    #expect(graph.node(of: mono) == nil)
  }
}
