// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime

/// The parameters of one unit: what can be set, and the values that they have.
///
/// Values come from the control side, where they apply from the next quantum on, and from the
/// event thread, where they apply at their frame. Either way a parameter moves in a straight line,
/// one step a frame.
///
/// - Note: Control side, but for `send` and `cancel`, which are for the event thread.
@safe
public final class ParameterSet: EventSink, @unchecked Sendable {
  // Unchecked: the control side owns what is not atomic, but for `writer`, which is the
  // event thread's.

  /// The parameters, in the order of their numbers.
  public let parameters: [Parameter]
  /// The unit's name, for messages.
  let unitName: String
  let rate: SampleRate
  package let bank: ParameterBank
  /// How many parameters a strip, band or source has; those of the next follow.
  private let stride: Int

  private let events: FrameQueue<ParameterMove>
  private var writer: FrameQueueWriter<ParameterMove>
  private var counters: [UInt8]
  private var told: [Float]
  private var observers: [(id: Int, body: (Int, Float) -> Void)] = []
  private var nextObserver = 0

  /// An observer, for `forget`.
  public struct Observer: Hashable, Sendable {
    let id: Int
  }

  /// Creates a set in which every parameter has its initial value.
  ///
  /// - Parameters:
  ///   - parameters: what can be set, in the order of the numbers.
  ///   - rate: frames a second.
  ///   - unit: the unit's name, for messages.
  ///   - stride: the parameters of one element; nil where the unit has but one.
  ///   - eventCapacity: how many events can wait.
  package init(
    _ parameters: [Parameter], rate: SampleRate, unit: String, stride: Int? = nil,
    eventCapacity: Int = 1024
  ) {
    self.parameters = parameters
    self.rate = rate
    unitName = unit
    self.stride = stride ?? max(1, parameters.count)
    events = FrameQueue(minimumCapacity: eventCapacity)
    writer = events.makeWriter()
    bank = ParameterBank(parameters, events.makeReader())
    counters = Array(repeating: 0, count: parameters.count)
    told = parameters.map(\.initialValue)
  }

  deinit {
    bank.deallocate()
  }

  /// The value that a parameter has or moves to, whoever set it last.
  public subscript(index: Int) -> Float { bank.value(reported: index) }

  /// Sets a parameter, from the next quantum on.
  ///
  /// - Parameters:
  ///   - index: the parameter's number.
  ///   - value: where to go.
  ///   - seconds: in what time, to the nearest frame, up to 2²⁴ − 2 frames; nil takes the
  ///     parameter's own.
  /// - Throws: `GraphError.noSuchParameter`, `GraphError.parameterOutOfRange`.
  public func set(_ index: Int, to value: Float, over seconds: Double? = nil) throws(GraphError) {
    guard parameters.indices.contains(index) else {
      throw .noSuchParameter(unit: unitName, number: index, count: parameters.count)
    }
    let parameter = parameters[index]
    guard parameter.range.contains(value) else {
      throw .parameterOutOfRange(unit: unitName, parameter: parameter.name, range: parameter.range)
    }
    hold(index, to: value, over: seconds)
  }

  /// Sets a parameter to the nearest value in its range.
  func hold(_ index: Int, to value: Float, over seconds: Double? = nil) {
    let parameter = parameters[index]
    let value = parameter.held(value)
    let frames = frameCount(of: seconds ?? parameter.rampSeconds)
    counters[index] &+= 1
    bank.aim(index, at: value, over: frames, counter: counters[index])
    tell(index, value)
  }

  /// The frames of a movement: to the nearest, up to 2²⁴ − 2.
  func frameCount(of seconds: Double) -> Int {
    let frames = (seconds * Double(rate.hertz)).rounded()
    return Int(min(16_777_214, max(0, frames.isNaN ? 0 : frames)))
  }
}

extension ParameterSet {
  /// Calls a closure, on the control side, with the number and value of what was changed.
  ///
  /// Observers hear at once of what the control side sets, and by `tellObservers` of what tracks
  /// set.
  @discardableResult
  public func observe(_ body: @escaping (Int, Float) -> Void) -> Observer {
    nextObserver += 1
    observers.append((nextObserver, body))
    return Observer(id: nextObserver)
  }

  /// Ends what `observe` began.
  public func forget(_ observer: Observer) {
    observers.removeAll { $0.id == observer.id }
  }

  /// Tells the observers what tracks have changed since the last call.
  ///
  /// - Complexity: O(n) in the number of parameters.
  public func tellObservers() {
    for index in parameters.indices where self[index] != told[index] { tell(index, self[index]) }
  }

  private func tell(_ index: Int, _ value: Float) {
    told[index] = value
    for observer in observers { observer.body(index, value) }
  }
}

extension ParameterSet {
  /// Sets a parameter at a frame, from the event thread.
  ///
  /// - Parameters:
  ///   - index: the parameter's number; a change of one that does not exist is taken and ignored.
  ///   - value: where to go, held within the parameter's range.
  ///   - frame: where the movement begins.
  ///   - frameCount: its length; nil takes the parameter's own.
  /// - Returns: false where there is no room.
  public func schedule(
    _ index: Int, to value: Float, at frame: SampleTime, over frameCount: Int? = nil
  ) -> Bool {
    guard parameters.indices.contains(index) else { return true }
    let length = frameCount ?? self.frameCount(of: parameters[index].rampSeconds)
    let move = ParameterMove(
      index: Int32(index), frameCount: Int32(clamping: length), value: parameters[index].held(value)
    )
    return writer.push(move, frame: frame.frames)
  }

  /// Takes the parameter events of a track, from the first, and says how many it had room for.
  ///
  /// The parameter meant is the event's element times the parameters of an element, plus the
  /// event's parameter. A change that glides reaches its value at the frame of its end; any other
  /// takes the parameter's own time.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      guard case .parameter(let change) = events[index].payload else { continue }
      guard take(change, at: events[index].time) else { return index }
    }
    return events.count
  }

  private func take(_ change: ParameterChange, at time: ReferenceTime) -> Bool {
    let place = Int(change.element).multipliedReportingOverflow(by: stride)
    let number = place.partialValue.addingReportingOverflow(Int(change.parameter))
    guard !place.overflow, !number.overflow, change.parameter < UInt32(stride),
      parameters.indices.contains(number.partialValue)
    else { return true }
    let frame = rate.frame(at: time)
    let length = change.glide.map { glide in
      Int(rate.frame(at: time.advanced(saturating: Int64(glide))).frames - frame.frames)
    }
    return schedule(number.partialValue, to: change.value, at: frame, over: length)
  }

  /// Forgets the scheduled changes due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: rate.frame(at: time).frames)
  }

  /// Changes that came after their frame and were begun at the next quantum.
  ///
  /// - Note: Any thread.
  public var lateEventCount: Int { bank.lateEventCount }
}
