// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A processor of sound, which can be part of a graph.
///
/// The unit is used by the control side: the threads that build and edit graphs. The unit owns a
/// kernel, which processes the sound on the render thread. Every plan that contains a unit retains
/// it.
public protocol ProcessingUnit: AnyObject {
  /// The unit's name, for messages and graphs.
  var name: String { get }

  /// The number of channels of each input bus.
  var inputChannelCounts: [Int] { get }

  /// The number of channels of each output bus.
  var outputChannelCounts: [Int] { get }

  /// The unit's kernel, with the function that renders one quantum.
  var step: RenderStep { get }

  /// The sample rate for which the unit was created; nil if the unit works at any rate.
  var rate: SampleRate? { get }

  /// The delay from input to output in frames, 0 or more.
  ///
  /// If paths of different latency meet, the graph delays the sound of those with less latency.
  var latency: Int { get }

  /// True if the latency can change after the unit has rendered (`RenderPlan.followLatencies`).
  var latencyVaries: Bool { get }

  /// True if the output must be audible without additional delay, such as a performer's own sound.
  ///
  /// The output is never delayed to match other paths, and other paths are not delayed to match the
  /// output.
  var isLive: Bool { get }

  /// The number of frames for which the unit can continue to sound after its inputs are silent,
  /// with the current parameters.
  ///
  /// - Note: Any thread.
  var tail: Int { get }

  /// True if inputs do not have to be connected; an input without a connection is silent.
  var acceptsOpenInputs: Bool { get }
}

extension ProcessingUnit {
  /// Nil: the unit works at any sample rate.
  public var rate: SampleRate? { nil }

  /// 0: by default the unit does not delay the sound.
  public var latency: Int { 0 }

  /// False: by default the latency does not change.
  public var latencyVaries: Bool { false }

  /// False: by default the output may be delayed to match other paths of the graph.
  public var isLive: Bool { false }

  /// 0: by default the output is silent as soon as the input is.
  public var tail: Int { 0 }

  /// False: by default all inputs must be connected.
  public var acceptsOpenInputs: Bool { false }
}

/// A unit with parameters that can be set by the program and automated by tracks.
public protocol ParametricUnit: ProcessingUnit {
  /// The parameters and their values.
  var parameters: ParameterSet { get }
}

/// A unit whose parameters can be set by name, as in `limiter[.ceiling] = -1`.
public protocol SettableUnit: ParametricUnit {
  /// The names of the parameters; the raw value is the index in `parameters`.
  associatedtype Setting: RawRepresentable where Setting.RawValue == Int
}

extension SettableUnit {
  /// The value of a parameter; during a change, the value at the end of the change.
  ///
  /// New values are limited to the parameter's range.
  public subscript(setting: Setting) -> Float {
    get { parameters[setting.rawValue] }
    set { parameters.hold(setting.rawValue, to: newValue) }
  }
}

/// A kernel, with the function that renders one quantum of it.
///
/// A step contains a C function pointer, because class methods cannot be called from code that is
/// checked for locks and allocations. Each kernel is checked separately.
@safe
public struct RenderStep: BitwiseCopyable {
  /// Renders one quantum.
  ///
  /// The first argument is the kernel, and the second is a `RenderBlock`.
  public typealias Function =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  /// Clears all sound that a kernel stores.
  package typealias Clearing = @convention(c) (UnsafeMutableRawPointer) -> Void

  let kernel: UnsafeMutableRawPointer
  let function: Function
  let clearing: Clearing?

  /// Creates a step.
  ///
  /// The kernel must outlive the step.
  @unsafe
  public init(kernel: UnsafeMutableRawPointer, function: @escaping Function) {
    unsafe self.kernel = kernel
    unsafe self.function = function
    unsafe clearing = nil
  }

  @unsafe
  init(
    kernel: UnsafeMutableRawPointer, function: @escaping Function, clearing: Clearing?
  ) {
    unsafe self.kernel = kernel
    unsafe self.function = function
    unsafe self.clearing = clearing
  }
}

// For kernels that run outside a graph.
extension RenderStep {
  /// Renders one quantum of a kernel with one stereo input and one stereo output.
  ///
  /// - Parameter buses: the input bus, followed by the output bus; they must differ.
  @_noAllocation @_noLocks
  package func render(_ buses: UnsafePointer<Bus>) {
    var block = unsafe RenderBlock(buses: buses, inputCount: 1, outputCount: 1)
    // Vouched for: every kernel is checked on its own, and a call through a pointer neither
    // allocates nor locks.
    unsafe _unsafePerformance { unsafe function(kernel, &block) }
  }

  /// Clears all sound that the kernel stores, if the kernel supports this.
  @_noAllocation @_noLocks
  package func clear() {
    guard let clearing = unsafe clearing else { return }
    // The same reason applies here.
    unsafe _unsafePerformance { unsafe clearing(kernel) }
  }
}

/// The input and output buses and the position of one quantum, as a kernel receives them.
///
/// - Note: Real-time safe. Valid only during the call.
@safe
public struct RenderBlock: BitwiseCopyable {
  /// The position of the quantum's first frame.
  public internal(set) var start: SampleTime
  /// The number of quanta, including this one, until the unit can receive new events.
  ///
  /// A kernel without inputs can render all of them in one call.
  public internal(set) var ahead = 1
  /// The number of input buses.
  public let inputCount: Int
  /// The number of output buses.
  public let outputCount: Int
  private let buses: UnsafePointer<Bus>

  @_noAllocation @_noLocks
  init(buses: UnsafePointer<Bus>, inputCount: Int, outputCount: Int) {
    start = .zero
    self.inputCount = inputCount
    self.outputCount = outputCount
    unsafe self.buses = buses
  }

  /// Returns an input bus, which the kernel must not write to.
  ///
  /// An input that is not connected is silent.
  @_noAllocation @_noLocks
  public func input(_ index: Int) -> Bus {
    assert(index >= 0 && index < inputCount, "input index out of range")
    return unsafe buses[index]
  }

  /// Returns an output bus.
  ///
  /// The contents are undefined, and the kernel must write every sample.
  @_noAllocation @_noLocks
  public func output(_ index: Int) -> Bus {
    assert(index >= 0 && index < outputCount, "output index out of range")
    return unsafe buses[inputCount &+ index]
  }
}
