// SPDX-License-Identifier: Apache-2.0

/// The owner of a unit's kernel.
///
/// The kernel's address does not change during the unit's life.
///
/// - Note: Creation and destruction are not real-time safe.
@safe
public struct KernelBox<Kernel: ~Copyable>: ~Copyable {
  /// The kernel and its render function.
  public let step: RenderStep
  private let pointer: UnsafeMutablePointer<Kernel>

  /// Takes ownership of a kernel, with its render function.
  public init(_ kernel: consuming Kernel, _ function: @escaping RenderStep.Function) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: kernel)
    step = unsafe RenderStep(kernel: pointer, function: function)
  }

  /// Takes ownership of a kernel, with its render function and the function that clears its sound.
  init(
    _ kernel: consuming Kernel, _ function: @escaping RenderStep.Function,
    clearing: @escaping RenderStep.Clearing
  ) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: kernel)
    step = unsafe RenderStep(kernel: pointer, function: function, clearing: clearing)
  }

  /// The kernel, for the state that it shares with the control side.
  public var pointee: Kernel {
    _read { yield unsafe pointer.pointee }
  }

  deinit {
    unsafe pointer.deinitialize(count: 1).deallocate()
  }
}
