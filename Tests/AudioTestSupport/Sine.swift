// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The sine, for files that do not import the C library.
package func sine(_ radians: Double) -> Float { Float(sin(radians)) }
