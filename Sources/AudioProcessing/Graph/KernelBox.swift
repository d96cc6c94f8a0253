// SPDX-License-Identifier: Apache-2.0

/// Owns the kernel of a unit.
///
/// The kernel's address does not change during the unit's life.
///
/// - Note: Creation and destruction are not real-time safe.
@safe
public struct KernelBox<Kernel: ~Copyable>: ~Copyable {
  /// The kernel, with the function that renders one quantum.
  public let step: RenderStep
  private let pointer: UnsafeMutablePointer<Kernel>

  /// Creates the owner of a kernel.
  ///
  /// The function renders one quantum of the kernel.
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

  /// The kernel; use it for the state that the kernel shares with other threads.
  public var pointee: Kernel {
    _read { yield unsafe pointer.pointee }
  }

  deinit {
    unsafe pointer.deinitialize(count: 1).deallocate()
  }
}
