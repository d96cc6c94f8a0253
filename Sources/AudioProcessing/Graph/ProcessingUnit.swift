// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A processor of sound, seen from the control side: what a graph is made of.
///
/// The unit owns a kernel, which does the work on the render thread, and lives at least as long
/// as every plan it is part of.
public protocol ProcessingUnit: AnyObject {
  /// The unit's name in error messages and drawings of the graph.
  var name: String { get }

  /// The number of channels of each input bus.
  var inputChannelCounts: [Int] { get }

  /// The number of channels of each output bus.
  var outputChannelCounts: [Int] { get }

  /// The kernel and the function that renders it.
  var step: RenderStep { get }

  /// The frames a second the unit is made for; nil where any will do.
  var rate: SampleRate? { get }

  /// The frames by which its output is behind its input, 0 or more: a graph delays what would be
  /// earlier where the two meet.
  var latency: Int { get }

  /// Whether the latency may be another once the unit has rendered (`RenderPlan.followLatencies`).
  var latencyVaries: Bool { get }

  /// Whether what comes of it is to be heard at once, as a player hears himself: it is never delayed
  /// so as to meet what is later, nor is anything delayed for it.
  var isLive: Bool { get }

  /// The frames for which it may sound on once its inputs are silent, as its parameters are now.
  ///
  /// - Note: Any thread.
  var tail: Int { get }

  /// Whether an input may be left open, and is silent then.
  var acceptsOpenInputs: Bool { get }
}

extension ProcessingUnit {
  /// Nil: any rate will do.
  public var rate: SampleRate? { nil }

  /// 0 frames.
  public var latency: Int { 0 }

  /// False: the latency stays what it is.
  public var latencyVaries: Bool { false }

  /// False: it waits for what is later.
  public var isLive: Bool { false }

  /// 0 frames.
  public var tail: Int { 0 }

  /// False: an open input is an error.
  public var acceptsOpenInputs: Bool { false }
}

/// A unit with parameters, for the control side and for tracks to set.
public protocol ParametricUnit: ProcessingUnit {
  /// What can be set.
  var parameters: ParameterSet { get }
}

/// A unit whose parameters have names of their own: `limiter[.ceiling] = -1`.
public protocol SettableUnit: ParametricUnit {
  /// The parameters, in the order of their numbers.
  associatedtype Setting: RawRepresentable where Setting.RawValue == Int
}

extension SettableUnit {
  /// The value that a parameter has or moves to; what is set is held within the parameter's range.
  public subscript(setting: Setting) -> Float {
    get { parameters[setting.rawValue] }
    set { parameters.hold(setting.rawValue, to: newValue) }
  }
}

/// A kernel and the function that renders one quantum of it.
///
/// A class method cannot be called from code that is checked for locks and allocations, so a step
/// is a C function pointer; each kernel is checked on its own.
@safe
public struct RenderStep: BitwiseCopyable {
  /// Renders one quantum: the first argument is the kernel, the second a `RenderBlock`.
  public typealias Function =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  /// Forgets all sound that a kernel keeps.
  package typealias Clearing = @convention(c) (UnsafeMutableRawPointer) -> Void

  let kernel: UnsafeMutableRawPointer
  let function: Function
  let clearing: Clearing?

  /// Names a kernel, which must outlive the step, and its function.
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
  /// Renders one quantum of a kernel with one stereo bus in and one out.
  ///
  /// - Parameter buses: the input, then the output; they must not be the same.
  @_noAllocation @_noLocks
  package func render(_ buses: UnsafePointer<Bus>) {
    var block = unsafe RenderBlock(buses: buses, inputCount: 1, outputCount: 1)
    // Vouched for: every kernel is checked on its own, and a call through a pointer neither
    // allocates nor locks.
    unsafe _unsafePerformance { unsafe function(kernel, &block) }
  }

  /// Forgets all sound that the kernel keeps, if it can.
  @_noAllocation @_noLocks
  package func clear() {
    guard let clearing = unsafe clearing else { return }
    // Vouched for, as above.
    unsafe _unsafePerformance { unsafe clearing(kernel) }
  }
}

/// What a kernel is given for one quantum.
///
/// - Note: Real-time safe. Valid during the call only.
@safe
public struct RenderBlock: BitwiseCopyable {
  /// The position of the quantum's first frame.
  public internal(set) var start: SampleTime
  /// How many quanta, this one included, will be rendered before the unit is told anything new: a
  /// kernel without inputs may work on all of them at once.
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

  /// An input bus, not to be written to; it is silent where nothing is connected.
  @_noAllocation @_noLocks
  public func input(_ index: Int) -> Bus {
    assert(index >= 0 && index < inputCount, "input index out of range")
    return unsafe buses[index]
  }

  /// An output bus, holding what it held before: the kernel writes every sample.
  @_noAllocation @_noLocks
  public func output(_ index: Int) -> Bus {
    assert(index >= 0 && index < outputCount, "output index out of range")
    return unsafe buses[inputCount &+ index]
  }
}
