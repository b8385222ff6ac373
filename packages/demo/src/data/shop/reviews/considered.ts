import type { ReviewText } from './review-text.js';

/** Longer reviews, critical ones, and those with a picture. */
export const considered: ReviewText[] = [
  {
    product: 'Stoneware Mug',
    rating: 5,
    title: 'Eight months, daily',
    photo: 'photo-mug-blue',
    content:
      'I bought two in blue to try and have ordered the sage and the terracotta since. The handle takes three fingers, the foot does not scratch the table, and the glaze has not changed a bit in some two hundred dishwasher runs. My only regret is the matching cupboard I now seem to need.',
  },
  {
    product: 'Stoneware Mug',
    rating: 3,
    title: 'Smaller than I pictured',
    content: 'It is well made, but 350 ml is what it says, and I drink from half-liter mugs. Please make a larger one.',
    answer: 'Thank you for saying so. A mug of half a liter is on our list for spring, in the same four glazes.',
  },
  {
    product: 'Deep Ramen Bowl',
    rating: 4,
    title: 'Good bowl, slow delivery',
    content:
      'Arrived two days late, but in one piece and beautifully wrapped in paper. The foot ring makes it easy to carry when hot.',
  },
  {
    product: 'Deep Ramen Bowl',
    rating: 5,
    title: null,
    content: 'Four of them, used every single day since October. Not a chip.',
  },
  {
    product: 'Dinner Plate',
    rating: 5,
    title: 'The glaze is the thing',
    photo: 'photo-plate-sage',
    content:
      'It catches the light at the rim in a way no photo shows. We set the table for ten and for once nobody looked at their phone.',
  },
  {
    product: 'Dinner Plate',
    rating: 2,
    title: 'One arrived broken',
    content:
      'Packed well enough, and yet one of six was in two pieces. They replaced it at once, which is why this is not one star.',
    answer: 'We are sorry about the plate. Since then, each one travels in a sleeve of its own.',
  },
  {
    product: 'Round-Belly Teapot',
    rating: 5,
    title: 'Sunday afternoon in clay',
    photo: 'photo-teapot-terracotta',
    content: 'Holds its heat for the better part of an hour, and it truly does not drip. I had given up on teapots.',
  },
  {
    product: 'Round-Belly Teapot',
    rating: 3,
    title: 'Lovely, but mind the lid',
    content: 'The lid sits loosely, so hold it while you pour the last cup. Otherwise a very pleasant pot.',
  },
  {
    product: 'Stackable Tumblers, Set of Three',
    rating: 5,
    title: 'At last',
    content: 'Glasses that stack, and come apart again. The amber is the color of a good evening.',
  },
  {
    product: 'Cast-Iron Frying Pan',
    rating: 5,
    title: 'My grandmother would approve',
    photo: 'photo-frying-pan-black',
    content:
      'Came with a decent seasoning; two weeks of bacon made it a great one. It goes from stove to oven without a thought, and the handle comes off with a quarter turn.',
  },
  {
    product: 'Cast-Iron Frying Pan',
    rating: 3,
    title: 'Not for my wrists',
    content: 'A beautiful pan, and too heavy for me in 30 cm. I exchanged it for the small one, which was easy.',
  },
  {
    product: 'Enameled Casserole',
    rating: 5,
    title: 'The pot we use most',
    photo: 'photo-casserole-red',
    content:
      'Bread, beans, braised cabbage, a whole chicken: everything comes out better. The pale enamel stains a little over time and comes clean with baking soda.',
  },
  {
    product: 'Enameled Casserole',
    rating: 4,
    title: 'Handles could be larger',
    content: 'With thick oven gloves the handles are a tight fit. The cooking itself is faultless.',
  },
  {
    product: 'Enameled Casserole',
    rating: 5,
    title: null,
    content: 'Bought the red one for my sister and then could not give it away.',
  },
  {
    product: 'French Press',
    rating: 4,
    title: 'Good coffee, easy to repair',
    content:
      'Broke the glass myself after a month. A new one cost less than lunch and fits perfectly, which says it all.',
  },
  {
    product: 'French Press',
    rating: 5,
    title: 'Copper that stays copper',
    content: 'No lacquer peeling off, and it polishes up in a minute.',
  },
  {
    product: 'Airtight Storage Jar',
    rating: 5,
    title: 'A shelf of them',
    content:
      'All our flour, rice and lentils now stand in rows. The oak lids smell faintly of a carpenter’s shop for a week.',
  },
  {
    product: 'Oak Cutting Board',
    rating: 5,
    title: 'One plank, really',
    content: 'You can follow the grain from one end to the other. I oil it once a month while the kettle boils.',
  },
  {
    product: 'Oak Cutting Board',
    rating: 2,
    title: 'Warped when left in water',
    content:
      'My fault, says the care card, and it is right. Still, I had hoped it would forgive one night in the sink.',
  },
  {
    product: 'Stovetop Kettle',
    rating: 5,
    title: 'The color of a good morning',
    photo: 'photo-kettle-light-blue',
    content: 'Light blue, matte, and quicker than I expected on induction.',
  },
  {
    product: 'Checked Tea Towel',
    rating: 5,
    title: 'A drawer full',
    content: 'Bought three, then six, then one of each for my mother.',
  },
  {
    product: 'Checked Tea Towel',
    rating: 3,
    title: null,
    content: 'Needs two washes before it takes up water. After that it is fine.',
  },
  {
    product: 'Linen Shade Table Lamp',
    rating: 5,
    title: 'Changed the corner',
    content:
      'We had a dark end of the living room that nobody sat in. Now it is the seat people ask for. The linen shows its weave when lit, which I had not expected and like very much.',
  },
  {
    product: 'Linen Shade Table Lamp',
    rating: 3,
    title: 'Where is the dimmer?',
    content: 'A lovely lamp that wants a dimmer on its cable. I have added one myself.',
    answer: 'A dimmer is a good idea. The next batch has one on its cable.',
  },
  {
    product: 'Wave Cushion',
    rating: 2,
    title: 'Color differs from my screen',
    content: 'The mustard is browner than I thought. Sent it back without any trouble.',
  },
  {
    product: 'Waffle Throw Blanket',
    rating: 5,
    title: 'Ours, mine, theirs',
    content: 'One for the sofa, and then one for each child so that the first one stays on the sofa.',
  },
  {
    product: 'Waffle Throw Blanket',
    rating: 3,
    title: 'Snags',
    content: 'The cat has pulled a few threads already. Soft, though, and it washes well.',
  },
  { product: 'Stoneware Vase', rating: 5, title: null, content: 'One branch of quince, and the room is done.' },
  {
    product: 'Cedar and Fig Candle',
    rating: 5,
    title: 'Forty-five hours is true',
    content: 'I kept count, as one does. The glass now holds my pencils.',
  },
  {
    product: 'Quiet Wall Clock',
    rating: 4,
    title: 'Silent and legible',
    content: 'From the other end of the kitchen, without my glasses. The hook is not included.',
  },
  {
    product: 'Arched Wall Mirror',
    rating: 4,
    title: 'Beautiful frame',
    content: 'Heavier than it looks: two people for the large one, and a proper plug in the wall.',
  },
  {
    product: 'Snake Plant in Ceramic Pot',
    rating: 5,
    title: 'It lives',
    photo: 'photo-planter-white',
    content: 'I am known for killing cactuses. Seven months in, two new leaves.',
  },
  {
    product: 'Dotted Notebook',
    rating: 5,
    title: 'My year, in three of them',
    photo: 'photo-notebook-terracotta',
    content:
      'The page numbers and the index at the front made a list-maker of me. It lies flat from the first page, and the linen cover takes on the look of something carried about.',
  },
  {
    product: 'Dotted Notebook',
    rating: 3,
    title: 'Elastic wears out',
    content: 'After half a year in a bag, the elastic of mine is tired. The paper is the best I know at this price.',
  },
  {
    product: 'Brass-Clip Fountain Pen',
    rating: 4,
    title: 'A good first fountain pen',
    content: 'The fine nib is fine indeed. Take the broad one if you like to see your ink.',
  },
  {
    product: 'Felt Laptop Sleeve',
    rating: 5,
    title: 'Smells of wool, in a good way',
    content: 'Fits a 14-inch machine snugly and looks like a grown-up owns it.',
  },
  { product: 'Felt Laptop Sleeve', rating: 3, title: null, content: 'It sheds for the first week. Brush it outdoors.' },
  {
    product: 'Everyday Crew T-Shirt',
    rating: 5,
    title: 'Third year',
    content:
      'Same size, same weight, same collar as the first one I bought. Whoever decides that nothing changes here: thank you.',
  },
  {
    product: 'Everyday Crew T-Shirt',
    rating: 2,
    title: 'Too boxy for me',
    content: 'Good cotton, but straight really means straight. I am between sizes and neither fits.',
  },
  {
    product: 'Breton Striped Top',
    rating: 5,
    title: 'Stripes that meet',
    content: 'At the shoulder, at the side, at the cuff. You notice once and then everywhere else as well.',
  },
  {
    product: 'Oxford Button-Down Shirt',
    rating: 5,
    title: 'Wears like an old friend',
    content: 'Out of the box it felt like a shirt I had owned for years. The collar rolls the way it should.',
  },
  {
    product: 'Cable-Knit Sweater',
    rating: 4,
    title: 'Heavier than it looks',
    content: 'Warm enough to leave the coat at home until December. It does take two days to dry.',
  },
  {
    product: 'Cable-Knit Sweater',
    rating: 5,
    title: null,
    content: 'A fisherman I know looked at the cuffs and nodded. Enough said.',
  },
  {
    product: 'Merino V-Neck Cardigan',
    rating: 3,
    title: 'Mind the elbows',
    content:
      'Very fine, and mine has worn thin at one elbow after a winter at the desk. They sent matching yarn when I asked.',
  },
  { product: 'Merino V-Neck Cardigan', rating: 4, title: null, content: 'Fits under a jacket without bunching.' },
  {
    product: 'Brushed Fleece Hoodie',
    rating: 5,
    title: 'Weekend uniform',
    content: 'Thick hood, honest zip-free pocket, no logo. My partner has stolen the olive one.',
  },
  {
    product: 'Chunky Pom-Pom Beanie',
    rating: 4,
    title: 'Warm, a little large',
    content: 'The turn-up saves it. On small heads it sits low, which on a windy pier is no bad thing.',
  },
  {
    product: 'Ribbed Socks, Three Pairs',
    rating: 2,
    title: 'Hole after two months',
    content: 'One of the three pairs went at the heel. The others are fine, so I may have been unlucky.',
  },
  {
    product: 'Fringed Wool Scarf',
    rating: 5,
    title: 'Red, properly red',
    photo: 'photo-scarf-red',
    content: 'It warms before you have finished wrapping it.',
  },
  {
    product: 'Fringed Wool Scarf',
    rating: 4,
    title: null,
    content: 'Scratches for the first hour. Then it is a part of you.',
  },
  {
    product: 'City Backpack',
    rating: 5,
    title: 'Two years of trains',
    content:
      'Laptop, lunch, rain jacket, daily. The zips still close with one finger, and the bottom has only now begun to look used.',
  },
  {
    product: 'City Backpack',
    rating: 3,
    title: 'Wants a chest strap',
    content: 'Fine in town. On the bike it slides from side to side a bit.',
  },
  {
    product: 'Canvas Rucksack',
    rating: 4,
    title: 'Smells of wax',
    content: 'In the best way, for a month. Rain stands on it in drops.',
  },
  {
    product: 'Everyday Tote',
    rating: 4,
    title: 'Stands up by itself',
    content: 'The flat base is what makes it. Handles are long enough for a winter coat.',
  },
  {
    product: 'Weekend Duffel Bag',
    rating: 5,
    title: 'The only bag I take',
    photo: 'photo-duffel-bag-navy',
    content: 'Under the seat on four airlines so far, and nobody has asked.',
  },
  {
    product: 'Hard-Shell Cabin Suitcase',
    rating: 5,
    title: 'Quiet on cobbles',
    content: 'Hotels at midnight have never been so discreet.',
  },
  {
    product: 'Hard-Shell Cabin Suitcase',
    rating: 2,
    title: 'Lock jammed',
    content: 'It opened after ten minutes of pleading. The replacement came in four days, which I needed in two.',
  },
  {
    product: 'Bifold Wallet',
    rating: 5,
    title: 'It remembers',
    content: 'Every coin, every rain has left something. Mine is the color of a chestnut now.',
  },
  { product: 'Bifold Wallet', rating: 4, title: null, content: 'Tight for the first two weeks; then it gives.' },
  {
    product: 'Insulated Water Bottle',
    rating: 4,
    title: 'Lid needs a strong hand',
    content: 'It seals so well that my son cannot open it. That may be a feature.',
  },
  {
    product: 'Windproof Umbrella',
    rating: 5,
    title: 'Bristol, November',
    content: 'Others were left in bins along the road. Mine came home.',
  },
];
