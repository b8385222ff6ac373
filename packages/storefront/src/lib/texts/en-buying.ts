/** The words of cart, checkout, orders and accounts. */
export const buying = {
  cart: {
    title: 'Your cart',
  },
};
