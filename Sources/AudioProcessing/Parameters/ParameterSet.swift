// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime

/// The parameters of one unit and their values.
///
/// Values that your program sets apply from the next quantum; values from the event thread apply at
/// their frame. In both cases the value moves linearly, one step per frame, to the new value.
///
/// - Note: Use the set on one thread at a time, but not on the render thread; call `send`,
///   `schedule` and `cancel` on the event thread.
@safe
public final class ParameterSet: EventSink, @unchecked Sendable {
  // Unchecked: the control side owns everything that is not atomic, except `writer`, which belongs
  // to the event thread.

  /// The descriptions of the parameters, in the order of their indices.
  public let parameters: [Parameter]
  /// The unit's name, for messages and graphs.
  let unitName: String
  let rate: SampleRate
  package let bank: ParameterBank
  /// The number of parameters of one strip, band or source.
  ///
  /// The parameters of the next one follow.
  private let stride: Int

  private let events: FrameQueue<ParameterMove>
  private var writer: FrameQueueWriter<ParameterMove>
  private var counters: [UInt8]
  private var told: [Float]
  private var observers: [(id: Int, body: (Int, Float) -> Void)] = []
  private var nextObserver = 0

  /// Identifies a closure added by `observe`; pass it to `forget` to stop the calls.
  public struct Observer: Hashable, Sendable {
    let id: Int
  }

  /// Creates a set in which every parameter has its initial value.
  ///
  /// - Parameters:
  ///   - parameters: the descriptions, in the order of the indices.
  ///   - rate: the sample rate.
  ///   - unit: the unit's name, for messages and graphs.
  ///   - stride: the number of parameters of one element, such as a strip; nil if the unit has only
  ///     one.
  ///   - eventCapacity: the number of scheduled changes that can wait.
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

  /// The value of a parameter; during a change, the value at the end of the change.
  ///
  /// The latest change counts, from the program or from a track.
  public subscript(index: Int) -> Float { bank.value(reported: index) }

  /// Sets a parameter; the change begins at the next quantum.
  ///
  /// Before the first quantum, a change without a duration applies at once.
  ///
  /// - Parameters:
  ///   - index: the index of the parameter.
  ///   - value: the new value.
  ///   - seconds: the duration of the change in seconds, rounded to a frame, up to 2²⁴ − 2 frames;
  ///     nil for the parameter's default duration.
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
  package func hold(_ index: Int, to value: Float, over seconds: Double? = nil) {
    let parameter = parameters[index]
    let value = parameter.held(value)
    let frames = frameCount(of: seconds ?? parameter.rampSeconds)
    counters[index] = (counters[index] &+ 1) & ~ParameterBank.isTimed
    let mark = seconds == nil ? 0 : ParameterBank.isTimed
    bank.aim(index, at: value, over: frames, counter: counters[index] | mark)
    tell(index, value)
  }

  /// The frames of a change, rounded, up to 2²⁴ − 2.
  func frameCount(of seconds: Double) -> Int {
    let frames = (seconds * Double(rate.hertz)).rounded()
    return Int(min(16_777_214, max(0, frames.isNaN ? 0 : frames)))
  }
}

extension ParameterSet {
  /// Adds a closure that is called with the index and value of each change.
  ///
  /// Changes that your program makes are reported immediately; changes from tracks are reported by
  /// `tellObservers`.
  ///
  /// - Returns: a token that `forget` accepts.
  @discardableResult
  public func observe(_ body: @escaping (Int, Float) -> Void) -> Observer {
    nextObserver += 1
    observers.append((nextObserver, body))
    return Observer(id: nextObserver)
  }

  /// Removes a closure that `observe` added.
  public func forget(_ observer: Observer) {
    observers.removeAll { $0.id == observer.id }
  }

  /// Calls the closures added by `observe` for all changes that tracks made since the last call.
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
  /// Schedules a change of a parameter at a frame, on the event thread.
  ///
  /// - Parameters:
  ///   - index: the index of the parameter; an index that does not exist is ignored.
  ///   - value: the new value, limited to the parameter's range.
  ///   - frame: the start of the change.
  ///   - frameCount: the duration of the change in frames; nil for the parameter's default
  ///     duration.
  /// - Returns: true if the change was scheduled; false if the queue is full.
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

  /// Schedules the parameter events of a track, and returns the number of events accepted, counted
  /// from the first.
  ///
  /// An event names an element of the unit, such as a strip or band, and a parameter of the
  /// element. The parameter's index in this set is element × parameters per element + parameter. A
  /// change with a glide reaches its value at the end of the glide; other changes take the default
  /// duration of the parameter.
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

  /// Removes the scheduled changes that are due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: rate.frame(at: time).frames)
  }

  /// The number of changes that arrived too late and began at the next quantum.
  ///
  /// - Note: Any thread.
  public var lateEventCount: Int { bank.lateEventCount }
}
