// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// What is said of a plug-in that crashes while it renders or works.
public enum LV2LastWords {
  /// Has a plug-in that ends the process by a fault be named on standard error, in a line of its own:
  /// `downbeat: urn:a:plug-in: this plug-in has crashed: …`.
  ///
  /// The process then ends by the same signal as it would have, so that who waits for it, such as a
  /// port's guardian, is told. For a program to call before its first unit; the first call counts. It
  /// takes the signals SEGV, BUS, FPE, ILL, TRAP and ABRT, and gives them on to who had them before.
  ///
  /// - Parameter program: what the line begins with; 60 bytes of it are used.
  /// - Note: Any thread.
  public static func arm(program: String) { unsafe clilv_arm(program) }
}
